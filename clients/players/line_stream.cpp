#include "clients/players/line_stream.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "clients/players/own_daemon.hpp"
#include "clients/players/tls_tunnel.hpp"
#include "environment/awake_clock.hpp"
#include "protocol/awaiting.hpp"
#include "protocol/awake_timer.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using asio::ip::tcp;
using environment::AwakeClock;

namespace {

/// Sends lines without delay, and loses the connection when the other machine has not been heard of
/// for 15 s, which is less than an answer may take (command_timeout): silence on a link that is
/// down is no engine's fault.
void prepare(LineStream::Socket& socket) {
  const auto set = [&](int level, int option, int value) {  // other sockets than TCP's ignore this
    ::setsockopt(socket.native_handle(), level, option, &value, sizeof value);
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 5);   // s
  set(IPPROTO_TCP, TCP_KEEPINTVL, 2);  // s
  set(IPPROTO_TCP, TCP_KEEPCNT, 5);
  set(IPPROTO_TCP, TCP_USER_TIMEOUT, 15'000);  // ms
}

/// Whether the other end is on this machine.
bool is_on_this_machine(const LineStream::Socket& socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return false;
  tcp::endpoint endpoint;
  if (peer.size() > endpoint.capacity()) return false;
  std::memcpy(endpoint.data(), peer.data(), peer.size());
  endpoint.resize(peer.size());
  return endpoint.address().is_loopback();
}

}  // namespace

struct LineStream::State {
  explicit State(const asio::any_io_executor& executor)
      : socket(executor), resolver(executor), deadline(executor), reading_ahead(executor) {}

  /// Reads ahead, as long as the stream is there and reads on.
  static void read_on(const std::shared_ptr<State>& state) {
    state->socket.async_read_some(
        asio::buffer(state->chunk),
        [weak = std::weak_ptr(state)](const boost::system::error_code& error, std::size_t bytes) {
          const auto here = weak.lock();
          if (!here) return;
          here->take(bytes);
          if (!error && here->reads_on) {
            here->forget_old_lines();
            read_on(here);
          } else {
            here->is_reading_ahead = false;
            here->reading_ahead.cancel();
          }
        });
  }

  asio::awaitable<void> end_reading_ahead() {
    reads_on = false;
    boost::system::error_code ignored;
    socket.cancel(ignored);
    reading_ahead.expires_at(AwakeClock::time_point::max());
    co_await reading_ahead.async_wait(protocol::awaiting);
  }

  void forget_old_lines() {
    constexpr std::size_t enough = 1 << 16;
    if (received.size() <= 2 * enough) return;
    received.erase(0, received.size() - enough);
    received.erase(0, received.find('\n') + 1);
  }

  void take(std::size_t bytes) {
    std::copy_if(chunk.begin(), chunk.begin() + bytes, std::back_inserter(received),
                 [](char c) { return c != '\r'; });
  }

  void close() {
    boost::system::error_code ignored;
    resolver.cancel();
    deadline.cancel();
    socket.close(ignored);
  }

  Socket socket;
  tcp::resolver resolver;
  protocol::AwakeTimer deadline;
  protocol::AwakeTimer reading_ahead;  // is cancelled when it has ended
  bool is_reading_ahead = false;
  bool reads_on = false;
  Duration timeout{};
  bool late = false;  // the deadline has passed and closed the socket
  std::string received;
  std::array<char, 16384> chunk;  // here, since the frame of read_more is allocated at every read
};

LineStream::LineStream(asio::any_io_executor executor)
    : executor_(std::move(executor)), state_(std::make_shared<State>(executor_)) {}

bool LineStream::is_open() const { return state_ && state_->socket.is_open(); }

void LineStream::close() {
  if (state_) state_->close();
}

std::string& LineStream::received() { return state_->received; }

LineStream::Released LineStream::release() {
  stop_deadline();
  return {std::move(state_->socket), std::exchange(state_->received, {})};
}

void LineStream::start_deadline(Duration timeout) {
  state_->timeout = timeout;
  state_->deadline.expires_after(timeout);
  state_->deadline.async_wait([state = state_](const boost::system::error_code& error) {
    // A timer that expired just before the deadline was moved does not count.
    if (error || state->deadline.expiry() > AwakeClock::now()) return;
    state->late = true;
    state->close();
  });
}

void LineStream::stop_deadline() { state_->deadline.expires_at(AwakeClock::time_point::max()); }

void LineStream::fail(EngineFailure::Kind kind, const std::string& what) {
  const bool late = state_->late;
  close();
  if (!state_->received.empty()) {
    transcript_.received(std::string_view(state_->received).substr(0, Transcript::max_bytes));
    state_->received.clear();
  }
  if (late && kind != EngineFailure::Kind::unreachable) {
    throw EngineFailure(EngineFailure::Kind::silent,
                        "no answer in " + seconds_text(state_->timeout));
  }
  throw EngineFailure(kind, what);
}

asio::awaitable<void> LineStream::connect(Address address, Duration timeout) {
  close();
  state_ = std::make_shared<State>(executor_);
  const auto state = state_;
  transcript_ = {};
  start_deadline(timeout);

  // A numeric address needs no resolver, which would cost a thread.
  std::vector<Socket::endpoint_type> endpoints;
  boost::system::error_code error;
  const asio::ip::address numeric = asio::ip::make_address(address.host, error);
  if (!error) {
    endpoints.emplace_back(tcp::endpoint(numeric, address.port));
  } else {
    const std::string port = std::to_string(address.port);
    auto [resolve_error, found] =
        co_await state->resolver.async_resolve(address.host, port, protocol::awaiting);
    error = resolve_error;
    for (const auto& entry : found) endpoints.emplace_back(entry.endpoint());
  }
  if (!endpoints.empty()) {
    auto [connect_error, endpoint] =
        co_await asio::async_connect(state->socket, endpoints, protocol::awaiting);
    error = connect_error;
  }
  if (state->late) error = asio::error::timed_out;
  if (error) fail(EngineFailure::Kind::unreachable, error.message());

  prepare(state->socket);
  co_await enter(std::move(address));
  stop_deadline();
}

/// Enters the server on a new connection: begins TLS, and sends the token.
asio::awaitable<void> LineStream::enter(Address address) {
  const auto state = state_;
  if (address.tls) {
    std::optional<EngineFailure> failure;
    try {
      state->socket = co_await secure(state->socket, address.host, address.access.ca_file);
    } catch (const EngineFailure& thrown) {
      failure = thrown;
    }
    if (failure) fail(failure->kind(), failure->what());
  }
  const bool is_own = address.access.token.empty() && !address.tls;
  if (is_own) address.access.token = token_of_own_daemon(address);
  if (address.access.token.empty()) co_return;
  if (!address.tls && !is_on_this_machine(state->socket)) {
    fail(EngineFailure::Kind::refused,
         "the token would go over the network unencrypted: connect by tls://HOST:PORT");
  }
  co_await write("auth " + address.access.token + "\n");
  std::string& received = state->received;
  for (std::size_t end = std::string::npos; end == std::string::npos;) {
    co_await read_more();
    end = received.find("\n\n");
    if (end == std::string::npos && received.size() <= Transcript::max_bytes) continue;
    const std::string answer = received.substr(0, end);
    received.erase(0, end == std::string::npos ? end : end + 2);
    // What lay there may be of a daemon that was at this port before.
    if (!answer.starts_with('=') && !is_own) {
      fail(EngineFailure::Kind::refused, "refused: auth: " + printable(answer));
    }
  }
}

void LineStream::adopt(Socket socket) {
  close();
  state_ = std::make_shared<State>(executor_);
  transcript_ = {};
  state_->socket = std::move(socket);
}

asio::awaitable<void> LineStream::write(std::string text) {
  if (!is_open()) fail(EngineFailure::Kind::closed, "connection closed");
  const auto state = state_;
  auto [error, size] =
      co_await asio::async_write(state->socket, asio::buffer(text), protocol::awaiting);
  if (error) fail(EngineFailure::Kind::closed, "connection closed");
}

asio::awaitable<void> LineStream::read_more() {
  // The deadline may have closed the connection during an endless answer.
  if (!is_open()) fail(EngineFailure::Kind::closed, "connection closed");
  const auto state = state_;
  if (state->is_reading_ahead) {
    const std::size_t before = state->received.size();
    co_await state->end_reading_ahead();
    if (state->received.size() != before) co_return;
    if (!is_open()) fail(EngineFailure::Kind::closed, "connection closed");
  }
  auto [error, size] =
      co_await state->socket.async_read_some(asio::buffer(state->chunk), protocol::awaiting);
  if (error) fail(EngineFailure::Kind::closed, "connection closed");
  state->take(size);
}

void LineStream::read_ahead() {
  if (state_->is_reading_ahead) return;
  state_->is_reading_ahead = state_->reads_on = true;
  State::read_on(state_);
}

void LineStream::end_reading() {
  boost::system::error_code ignored;
  state_->socket.shutdown(Socket::shutdown_receive, ignored);
}

bool LineStream::is_cut() const {
  char next = 0;
  const ssize_t size = ::recv(state_->socket.native_handle(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void LineStream::acknowledge() {
  const int yes = 1;
  // Other sockets than TCP's ignore this.
  ::setsockopt(state_->socket.native_handle(), IPPROTO_TCP, TCP_QUICKACK, &yes, sizeof yes);
}

std::string seconds_text(std::chrono::milliseconds duration) {
  std::array<char, 32> text;
  const double seconds = std::chrono::duration<double>(duration).count();
  std::snprintf(text.data(), text.size(), "%.6g s", seconds);
  return text.data();
}

}  // namespace pitboss::clients
