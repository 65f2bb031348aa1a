#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "environment/awake_clock.hpp"
#include "server/net/conversation.hpp"
#include "server/net/shared.hpp"
#include "server/net/socket_stream.hpp"
#include "server/session/session.hpp"

namespace pitboss::server {

/// A client's connection, with TLS or without, that carries a conversation: what is the same for
/// lines (LineConnection) and for WebSockets (WebConnection). All members belong to the I/O thread
/// and do not block. Keeps itself alive until it is gone. docs/server.md tells its life.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using SteadyClock = environment::AwakeClock;
  using Socket = SocketStream::Socket;

  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Gives the client a session. Either this or `refuse` is called, once. `number` is for the log.
  /// Throws as Session's constructor does.
  virtual void serve(SessionConfig config, std::uint64_t number) = 0;
  /// Tells the client why it gets no session, and closes.
  virtual void refuse(const std::string& why) = 0;
  /// Reads no more, ends searches, answers what has been read, closes.
  void drain();
  /// Ends the conversation without handling the lines that wait; `why` is for the log.
  void expel(const std::string& why);
  /// Whether the client, which has a session, still has to complete the handshake or to show a
  /// token.
  [[nodiscard]] bool is_entering() const;
  /// Whether the client has asked for no session yet, and may never do so.
  [[nodiscard]] virtual bool is_browsing() const { return false; }
  [[nodiscard]] const ClientAccount* address() const { return address_.get(); }
  /// The number of its session while it has one; else 0.
  [[nodiscard]] std::uint64_t session() const { return phase_ == Phase::talking ? number_ : 0; }
  /// The session's row of the command `sessions`.
  [[nodiscard]] std::string row(SteadyClock::time_point now) const;
  /// For whom its session speaks; it must have one.
  [[nodiscard]] const protocol::Identity& client() const { return conversation_->client(); }
  /// Makes room for others.
  void give_way() { drop("others wait to enter"); }
  /// Acts on what is due at `now`. To be called every few ten milliseconds.
  void check(SteadyClock::time_point now);

  /// The socket is closed.
  [[nodiscard]] bool is_gone() const { return phase_ == Phase::gone; }
  /// Bytes of answers that the client has not taken yet.
  [[nodiscard]] std::size_t waiting_bytes() const {
    return conversation_ ? conversation_->outbox().size() : 0;
  }

 protected:
  enum class Phase : std::uint8_t {
    talking,
    lingering,  ///< all answers are sent; input is discarded until the peer closes
    gone
  };

  /// `address` is the account of the peer's host; without a context the connection has no TLS.
  Connection(Shared& shared, Socket socket, std::shared_ptr<ClientAccount> address,
             tls::Context* context);

  void begin_conversation(SessionConfig config, std::uint64_t number);
  void note_refusal(const std::string& why);
  /// The conversation may have something to send, or is over.
  virtual void settle() = 0;
  /// Whether the handshakes are over.
  [[nodiscard]] virtual bool is_ready() const = 0;
  /// When the client has to have read some of what is being sent; max() while nothing waits.
  [[nodiscard]] virtual SteadyClock::time_point write_deadline() const = 0;
  /// Ends coroutines of the connection, which is gone, that wait for something else than its
  /// socket.
  virtual void end_waits() {}
  /// What `check` has to do for this kind of connection while a command runs.
  virtual void check_busy(SteadyClock::time_point /*now*/) {}
  /// What `check` has to do for this kind of connection in any case.
  virtual void check_quiet(SteadyClock::time_point /*now*/) {}

  /// Runs a coroutine of this connection, which lives as long. It throws only if memory has run
  /// out, and the connection is then dropped.
  void spawn(boost::asio::awaitable<void> coroutine);
  void note_token();
  /// Begins to linger: all is sent.
  void begin_lingering();
  void fail(const boost::system::error_code& error);
  void drop(const std::string& why);
  void close();

  Shared& shared_;
  std::shared_ptr<ClientAccount> address_;
  SocketStream stream_;
  std::uint64_t number_ = 0;  ///< 0: no session
  std::string end_;           ///< why the connection ends; empty: the conversation is over
  std::shared_ptr<Conversation> conversation_;  ///< null: not yet
  Phase phase_ = Phase::talking;
  SteadyClock::time_point deadline_;  ///< while lingering: for the peer

 private:
  void end_entry();

  std::string peer_;       ///< its address, and the name of its token
  bool is_named_ = false;  ///< `peer_` has the name of its token
  std::optional<SteadyClock::time_point> expelled_at_;
  SteadyClock::time_point entry_deadline_;  ///< for the handshakes and the token
};

/// Whether a socket can pass no bytes at the moment.
[[nodiscard]] bool would_block(const boost::system::error_code& error);

}  // namespace pitboss::server
