#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "server/net/conversation.hpp"
#include "server/net/socket_stream.hpp"
#include "server/session/session.hpp"
#include "server/shared.hpp"

namespace pitboss::server {

/// A TCP connection, with TLS or without, that carries a conversation. All members belong to the
/// I/O thread and do not block. Keeps itself alive until it is gone. docs/server.md tells its life.
class Connection final : public std::enable_shared_from_this<Connection> {
 public:
  using SteadyClock = std::chrono::steady_clock;
  using Socket = SocketStream::Socket;

  /// `address` is the account of the peer's host; without a context the connection has no TLS.
  Connection(Shared& shared, Socket socket, std::shared_ptr<ClientAccount> address,
             tls::Context* context);

  /// Serves a client. Either this or `refuse` is called, once. `number` is for the log. Throws as
  /// Session's constructor does.
  void serve(SessionConfig config, std::uint64_t number);
  /// Sends one answer and closes; `why` is for the log.
  void refuse(std::string answer, const std::string& why);
  /// Reads no more, ends searches, answers what has been read, closes.
  void drain();
  /// Ends the conversation without handling the lines that wait; `why` is for the log.
  void expel(const std::string& why);
  /// Whether the client still has to complete the handshake or to show a token.
  [[nodiscard]] bool is_entering() const;
  [[nodiscard]] const ClientAccount* address() const { return address_.get(); }
  /// The number of its session while it has one; else 0.
  [[nodiscard]] std::uint64_t session() const { return phase_ == Phase::talking ? number_ : 0; }
  /// The session's row of the command `sessions`.
  [[nodiscard]] std::string row(SteadyClock::time_point now) const;
  [[nodiscard]] const protocol::Identity& client() const { return conversation_->client(); }
  /// Makes room for others.
  void give_way() { drop("others wait to enter"); }
  /// Acts on what is due at `now`. To be called every few ten milliseconds.
  void check(SteadyClock::time_point now);

  /// The socket is closed.
  [[nodiscard]] bool is_gone() const { return phase_ == Phase::gone; }
  /// Bytes of answers that the client has not taken yet.
  [[nodiscard]] std::size_t waiting_bytes() const { return conversation_->outbox().size(); }

 private:
  enum class Phase : std::uint8_t {
    talking,
    lingering,  ///< all answers are sent; input is discarded until the peer closes
    gone
  };

  void start();
  boost::asio::awaitable<void> live();
  void get_ready();
  boost::asio::awaitable<void> write_rest();
  void end_of(const std::exception_ptr& error);

  [[nodiscard]] bool wants_to_read() const;
  void read();
  void settle();
  void note_token();
  void end_entry();
  std::size_t send();
  [[nodiscard]] bool has_gone();
  void note_half_close(SteadyClock::time_point now);
  void linger();
  void fail(const boost::system::error_code& error);
  void drop(const std::string& why);
  void close();
  void wake();

  Shared& shared_;
  std::shared_ptr<ClientAccount> address_;
  SocketStream stream_;
  std::uint64_t number_ = 0;  ///< 0: refused
  std::string peer_;          ///< its address, and the name of its token
  bool is_named_ = false;     ///< `peer_` has the name of its token
  std::string end_;           ///< why the connection ends; empty: the conversation is over
  std::shared_ptr<Conversation> conversation_;
  Phase phase_ = Phase::talking;
  bool reading_ = false;      ///< live waits for input
  bool writing_ = false;      ///< write_rest runs
  bool half_closed_ = false;  ///< the peer has said that it will send no more
  bool hurried_ = false;      ///< its searches have had their time since then
  std::optional<SteadyClock::time_point> expelled_at_;
  SteadyClock::time_point write_deadline_;
  SteadyClock::time_point entry_deadline_;  ///< for the handshake and the token
  SteadyClock::time_point deadline_;  ///< half-closed: for the searches; lingering: for the peer
};

}  // namespace pitboss::server
