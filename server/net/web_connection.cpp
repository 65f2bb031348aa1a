#include "server/net/web_connection.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "protocol/awaiting.hpp"
#include "protocol/envelope.hpp"
#include "server/net/change.hpp"
#include "server/net/http_answers.hpp"
#include "server/net/peer.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

using SteadyClock = Connection::SteadyClock;
using websocket::close_code;

constexpr std::uint32_t longest_header = 8192;
constexpr std::size_t longest_frame = 65536;
constexpr std::size_t longest_of_stranger = 4096;
/// A quiet connection is kept open by a ping, since proxies close those that are silent for long.
constexpr auto ping_interval = 20s;
/// A client that sends more pings and pongs than so many in so long has nothing in mind but work
/// for the server.
constexpr int most_pings = 30;
constexpr auto pings_counted_for = 10s;

/// A connection's socket as Beast wants it.
class BeastStream {
 public:
  // NOLINTNEXTLINE(readability-identifier-naming): Beast's name
  using executor_type = SocketStream::Socket::executor_type;

  BeastStream(SocketStream& stream, Counters& counters) : stream_(stream), counters_(counters) {}

  executor_type get_executor() { return stream_.socket().get_executor(); }

  template <class Buffers, class Handler>
  auto async_read_some(const Buffers& buffers, Handler&& handler) {
    const asio::mutable_buffer room = beast::buffers_front(buffers);
    return transfer(SocketStream::Socket::wait_read, std::forward<Handler>(handler),
                    [this, room](error_code& error) {
                      if (!early_.empty()) return take_early(room);
                      const auto size =
                          stream_.read_some({static_cast<char*>(room.data()), room.size()}, error);
                      counters_.bytes_received.add(static_cast<std::int64_t>(size));
                      return size;
                    });
  }

  template <class Buffers, class Handler>
  auto async_write_some(const Buffers& buffers, Handler&& handler) {
    return transfer(SocketStream::Socket::wait_write, std::forward<Handler>(handler),
                    [this, buffers](error_code& error) { return write(buffers, error); });
  }

  /// Bytes that have been read and are to be read again.
  void put_back(std::string bytes) { early_ = std::move(bytes); }

  /// Since when the peer has taken nothing of what is being sent; max() while nothing waits.
  [[nodiscard]] SteadyClock::time_point stuck_since() const { return stuck_since_; }
  /// When something was sent last.
  [[nodiscard]] SteadyClock::time_point last_sent() const { return last_sent_; }

  friend void beast_close_socket(BeastStream& its) {
    error_code ignored;
    its.stream_.socket().close(ignored);
  }
  template <class Handler>
  friend void async_teardown(beast::role_type, BeastStream& its, Handler&& handler) {
    its.stream_.end_output();
    asio::post(its.get_executor(),
               beast::bind_front_handler(std::forward<Handler>(handler), error_code()));
  }

 private:
  struct Result {
    error_code error;
    std::size_t size;
  };

  /// Does `step` as soon as the socket is in the state `kind`, which may be at once.
  template <class Handler, class Step>
  auto transfer(SocketStream::Socket::wait_type kind, Handler&& handler, Step step) {
    return asio::async_compose<Handler, void(error_code, std::size_t)>(
        [this, kind, step = std::move(step), has_waited = false, result = std::optional<Result>()](
            auto& self, error_code error = {}) mutable {
          if (result) return self.complete(result->error, result->size);
          const std::size_t size = error ? 0 : step(error);
          if (would_block(error)) {
            has_waited = true;
            return stream_.socket().async_wait(kind, std::move(self));
          }
          if (has_waited) return self.complete(error, size);
          result = Result{error, size};  // no handler may be called by its initiation
          asio::post(get_executor(), std::move(self));
        },
        handler, stream_.socket());
  }

  std::size_t take_early(asio::mutable_buffer room) {
    const auto size = asio::buffer_copy(room, asio::buffer(early_));
    early_.erase(0, size);
    return size;
  }

  /// Small buffers go out in one piece: the frame's header and its text are two.
  template <class Buffers>
  std::size_t write(const Buffers& buffers, error_code& error) {
    std::array<char, 16384> piece;
    const auto sum = asio::buffer_copy(asio::buffer(piece), buffers);
    const auto size = stream_.write_some({piece.data(), sum}, error);
    const auto now = SteadyClock::now();
    if (size > 0) last_sent_ = now;
    if (would_block(error)) {
      stuck_since_ = std::min(stuck_since_, now);
      if (stream_.wants_input()) error = asio::error::no_recovery;  // TLS that takes no output
    } else {
      stuck_since_ = SteadyClock::time_point::max();
    }
    counters_.bytes_sent.add(static_cast<std::int64_t>(size));
    return size;
  }

  SocketStream& stream_;
  Counters& counters_;
  std::string early_;  ///< put back
  SteadyClock::time_point stuck_since_ = SteadyClock::time_point::max();
  SteadyClock::time_point last_sent_ = SteadyClock::now();
};

/// For the close frame, which has room for 123 bytes of it.
websocket::close_reason close_reason(close_code code, std::string_view why) {
  constexpr std::size_t most = 123;
  const auto text = why.substr(0, most);
  return {code, beast::string_view(text.data(), text.size())};
}

class WebConnection final : public Connection {
 public:
  WebConnection(Shared& shared, Socket socket, std::shared_ptr<ClientAccount> address,
                tls::Context* context, WebDoor door)
      : Connection(shared, std::move(socket), std::move(address), context),
        door_(std::move(door)),
        bytes_(stream_, shared.counters) {}

  void start() { spawn(live()); }
  void serve(SessionConfig config, std::uint64_t number) override {
    config.in_envelopes = true;
    begin_conversation(std::move(config), number);
  }
  void refuse(const std::string& why) override {
    note_refusal(why);
    closing_ = close_reason(close_code::try_again_later, why);
  }
  [[nodiscard]] bool is_browsing() const override {
    return phase_ == Phase::talking && number_ == 0;
  }

 private:
  using WebSocket = websocket::stream<BeastStream&, false>;

  void settle() override;
  [[nodiscard]] bool is_ready() const override { return is_open_; }
  [[nodiscard]] SteadyClock::time_point write_deadline() const override {
    const auto since = bytes_.stuck_since();
    return since == SteadyClock::time_point::max() ? since : since + shared_.limits.write_timeout;
  }
  void check_quiet(SteadyClock::time_point now) override;
  void end_waits() override {
    wants_input_.forget();
    has_turn_.forget();
  }

  asio::awaitable<void> live();
  asio::awaitable<bool> shake_hands();
  asio::awaitable<void> send(protocol::HttpAnswer answer);
  asio::awaitable<void> carry(protocol::HttpRequest request);
  asio::awaitable<error_code> read_frame(beast::flat_buffer& frame);
  asio::awaitable<void> read_frames();
  asio::awaitable<void> turn_of_client();
  [[nodiscard]] std::size_t most_bytes() const {
    return conversation_->is_stranger() ? longest_of_stranger : longest_frame;
  }
  void take(const beast::flat_buffer& frame);
  void count_ping();
  asio::awaitable<void> write_frames();
  asio::awaitable<void> ping();
  asio::awaitable<void> close_socket(websocket::close_reason reason);
  asio::awaitable<void> discard_input();
  /// Ends the conversation because of the client's frame.
  void end(close_code code, const std::string& why);
  [[nodiscard]] websocket::close_reason reason() const;

  WebDoor door_;
  BeastStream bytes_;
  std::optional<WebSocket> socket_;
  std::optional<websocket::close_reason> closing_;  ///< what the client did that ends it
  Change wants_input_;
  Change has_turn_;
  bool is_open_ = false;     ///< the WebSocket
  bool is_paused_ = false;   ///< read_frames waits until the conversation wants input
  bool is_writing_ = false;  ///< write_frames runs
  bool is_pinging_ = false;
  int pings_ = 0;  ///< the client's, and pongs, since
  SteadyClock::time_point pings_since_;
};

/// One request, and what follows from it.
asio::awaitable<void> WebConnection::live() {
  if (!co_await shake_hands()) co_return;
  beast::flat_buffer buffer(2 * longest_header);
  http::request_parser<http::empty_body> parser;
  parser.header_limit(longest_header);
  const auto [error, size] =
      co_await http::async_read_header(bytes_, buffer, parser, protocol::awaiting);
  if (phase_ != Phase::talking) co_return;
  if (error && !protocol::is_bad_request(error)) co_return drop(error.message());
  auto answer = error ? std::optional(protocol::bad_request(error))
                      : answer_to_browser(parser.get(), door_.address, door_.page);
  if (answer) {
    co_await send(*std::move(answer));
  } else {
    bytes_.put_back(beast::buffers_to_string(buffer.data()));  // frames sent with the request
    co_await carry(parser.release());
  }
  co_await discard_input();
}

/// Whether TLS, if any, stands.
asio::awaitable<bool> WebConnection::shake_hands() {
  while (!stream_.is_ready()) {
    const auto [failed] =
        co_await stream_.socket().async_wait(stream_.ready_when(), protocol::awaiting);
    if (phase_ != Phase::talking) co_return false;
    error_code error = failed;
    if (!error) stream_.get_ready(error);
    if (!error || would_block(error)) continue;
    if (stream_.is_plain()) {
      co_await send(protocol::http_text(http::status::bad_request,
                                        "TLS is spoken here: https://HOST:PORT\n"));
      co_await discard_input();
    } else {
      drop(stream_.why(error));
    }
    co_return false;
  }
  co_return true;
}

asio::awaitable<void> WebConnection::send(protocol::HttpAnswer answer) {
  const auto [error, size] = co_await http::async_write(bytes_, answer, protocol::awaiting);
  if (phase_ != Phase::talking) co_return;
  if (error) co_return fail(error);
  stream_.end_output();
}

/// The conversation, from the handshake to the close frame.
asio::awaitable<void> WebConnection::carry(protocol::HttpRequest request) {
  try {
    door_.admit(*this);
  } catch (const std::exception& exception) {
    spdlog::error("cannot open a session for a client: {}", exception.what());
    co_return drop("internal error");
  }
  socket_.emplace(bytes_);
  socket_->auto_fragment(false);
  socket_->text(true);
  socket_->read_message_max(0);  // read_frame has the bound, and a reason for the close frame
  socket_->control_callback([this](websocket::frame_type kind, beast::string_view) {
    if (kind != websocket::frame_type::close) count_ping();
  });
  const auto [error] = co_await socket_->async_accept(request, protocol::awaiting);
  if (phase_ != Phase::talking) co_return;
  if (error) co_return fail(error);
  is_open_ = true;
  if (!conversation_) co_return co_await close_socket(reason());
  settle();
  co_await read_frames();
}

/// Reads a frame, or its first bytes if it is longer than it may be.
asio::awaitable<error_code> WebConnection::read_frame(beast::flat_buffer& frame) {
  frame.clear();
  do {
    const auto room = most_bytes() + 1 - frame.size();
    const auto [error, size] = co_await socket_->async_read_some(frame, room, protocol::awaiting);
    if (error) co_return error;
  } while (!socket_->is_message_done() && frame.size() <= most_bytes());
  co_return error_code();
}

asio::awaitable<void> WebConnection::read_frames() {
  beast::flat_buffer frame;
  for (;;) {
    while (phase_ == Phase::talking && !conversation_->wants_input() && !conversation_->is_over()) {
      is_paused_ = true;
      co_await wants_input_.come();
    }
    is_paused_ = false;
    const error_code error = co_await read_frame(frame);
    if (phase_ == Phase::gone) co_return;
    if (error) {
      if (phase_ == Phase::talking && error != websocket::error::closed) end_ = error.message();
      co_return;
    }
    if (phase_ == Phase::talking && !closing_) co_await turn_of_client();
    if (phase_ == Phase::talking && !closing_) take(frame);
  }
}

/// Reading JSON takes longer than reading lines: other clients have their turn before each frame.
asio::awaitable<void> WebConnection::turn_of_client() {
  conversation_->turns().join(shared_.io, [weak = weak_from_this(), this] {
    if (const auto self = weak.lock()) has_turn_.note();
  });
  co_await has_turn_.come();
}

void WebConnection::take(const beast::flat_buffer& frame) {
  if (!socket_->got_text()) return end(close_code::unknown_data, "frames must be text");
  const auto most = most_bytes();
  if (!socket_->is_message_done() || frame.size() > most) {
    return end(close_code::too_big, "a frame must have at most " + std::to_string(most) + " bytes" +
                                        (most < longest_frame ? " before a token is shown" : ""));
  }
  if (!conversation_->wants_input()) return;
  try {
    const std::string_view text(static_cast<const char*>(frame.data().data()), frame.size());
    conversation_->receive(protocol::line_in_envelope(text) + '\n');
  } catch (const protocol::BadEnvelope& bad) {
    end(close_code::bad_payload, bad.what());
  }
}

// Called in the midst of reading.
void WebConnection::count_ping() {
  const auto now = SteadyClock::now();
  if (now - pings_since_ >= pings_counted_for) {
    pings_since_ = now;
    pings_ = 0;
  }
  if (++pings_ != most_pings + 1) return;
  asio::post(shared_.io, [self = shared_from_this(), this] {
    if (phase_ == Phase::talking && !closing_) end(close_code::policy_error, "too many pings");
  });
}

void WebConnection::end(close_code code, const std::string& why) {
  closing_ = close_reason(code, why);
  expel(why);
}

websocket::close_reason WebConnection::reason() const {
  if (closing_) return *closing_;
  if (shared_.draining) return close_reason(close_code::going_away, "the server ends");
  if (conversation_->has_failed())
    return close_reason(close_code::internal_error, "internal error");
  if (end_.empty()) return close_code::normal;
  return close_reason(close_code::policy_error, end_);
}

// Makes the socket follow the state of the conversation.
void WebConnection::settle() {
  if (phase_ != Phase::talking || !is_open_) return;
  note_token();
  const bool has_frame = !conversation_->outbox().empty() && !conversation_->holds_back();
  if (!is_writing_ && (has_frame || conversation_->is_over())) {
    is_writing_ = true;
    spawn(write_frames());
  }
  // Later, since the conversation itself may be what calls.
  if (std::exchange(is_paused_, false)) {
    asio::post(shared_.io, [self = shared_from_this(), this] { wants_input_.note(); });
  }
}

asio::awaitable<void> WebConnection::write_frames() {
  auto& outbox = conversation_->outbox();
  while (phase_ == Phase::talking && !outbox.empty() && !conversation_->holds_back()) {
    const std::string_view frame = outbox.front().substr(0, outbox.front().find('\n'));
    const auto [error, size] =
        co_await socket_->async_write(asio::buffer(frame), protocol::awaiting);
    if (phase_ != Phase::talking) break;
    if (error) {
      fail(error);
      break;
    }
    outbox.pop(frame.size() + 1);
    conversation_->sent();
  }
  is_writing_ = false;
  if (phase_ != Phase::talking || !conversation_->is_over() || !outbox.empty()) co_return;
  if (end_.empty()) end_ = conversation_->why_over();
  co_await close_socket(reason());
}

/// The peer's close frame ends `read_frames`.
asio::awaitable<void> WebConnection::close_socket(websocket::close_reason reason) {
  begin_lingering();
  if (std::exchange(is_paused_, false)) wants_input_.note();
  co_await socket_->async_close(reason, protocol::awaiting);
}

asio::awaitable<void> WebConnection::ping() {
  const auto [error] = co_await socket_->async_ping({}, protocol::awaiting);
  is_pinging_ = false;
  if (error && phase_ == Phase::talking) fail(error);
}

void WebConnection::check_quiet(SteadyClock::time_point now) {
  if (is_paused_) {  // nobody else looks at the socket
    if (const auto why = why_broken(stream_.socket())) return fail(why);
    if (peer_has_ended_input(stream_.socket())) return drop("the client has gone");
  }
  const bool is_quiet = is_open_ && now - bytes_.last_sent() >= ping_interval;
  if (!is_quiet || is_writing_ || std::exchange(is_pinging_, true)) return;
  spawn(ping());
}

/// Closing with unread input would destroy what the peer has not read yet.
asio::awaitable<void> WebConnection::discard_input() {
  if (phase_ == Phase::gone) co_return;
  if (phase_ == Phase::talking) begin_lingering();
  stream_.end_output();
  std::array<char, 4096> chunk;
  while (phase_ == Phase::lingering) {
    const auto [error, size] =
        co_await bytes_.async_read_some(asio::buffer(chunk), protocol::awaiting);
    if (error) break;
  }
  close();
}

}  // namespace

std::shared_ptr<Connection> serve_browser(Shared& shared, Connection::Socket socket,
                                          std::shared_ptr<ClientAccount> address,
                                          tls::Context* context, WebDoor door) {
  auto connection = std::make_shared<WebConnection>(shared, std::move(socket), std::move(address),
                                                    context, std::move(door));
  connection->start();
  return connection;
}

}  // namespace pitboss::server
