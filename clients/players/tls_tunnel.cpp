#include "clients/players/tls_tunnel.hpp"

#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "clients/players/engine_failure.hpp"
#include "games/text_file.hpp"
#include "protocol/awaiting.hpp"
#include "protocol/tls/tls_stream.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using asio::generic::stream_protocol;
using boost::system::error_code;

namespace {

using Socket = stream_protocol::socket;

/// The two ends of a connection within this process.
std::pair<Socket, Socket> connected_pair(const asio::any_io_executor& executor) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw EngineFailure(EngineFailure::Kind::unreachable,
                        "cannot make a socket for TLS: " + games::system_reason(errno));
  }
  const stream_protocol protocol{asio::local::stream_protocol()};
  return {Socket(executor, protocol, ends[0]), Socket(executor, protocol, ends[1])};
}

class Tunnel : public std::enable_shared_from_this<Tunnel> {
 public:
  Tunnel(Socket remote, tls::TlsStream tls, Socket local)
      : remote_(std::move(remote)), tls_(std::move(tls)), local_(std::move(local)) {}
  /// The executor has ended before the near end was seen to be closed.
  ~Tunnel() { end_output(); }
  Tunnel(const Tunnel&) = delete;
  Tunnel& operator=(const Tunnel&) = delete;

  void start() {
    asio::co_spawn(remote_.get_executor(), send(shared_from_this()), asio::detached);
    asio::co_spawn(remote_.get_executor(), receive(shared_from_this()), asio::detached);
  }

 private:
  asio::awaitable<void> send(std::shared_ptr<Tunnel> /*self*/) {
    std::array<char, 16384> chunk;
    error_code error;
    for (;;) {
      const auto [end, size] =
          co_await local_.async_read_some(asio::buffer(chunk), protocol::awaiting);
      if (!remote_.is_open()) co_return;
      if (end) break;
      for (std::string_view rest(chunk.data(), size); !rest.empty();) {
        rest.remove_prefix(tls_.write_some(rest, error));
        if (error == asio::error::would_block) {
          const auto wait = tls_.wants_to_write() ? Socket::wait_write : Socket::wait_read;
          co_await remote_.async_wait(wait, protocol::awaiting);
          if (!remote_.is_open()) co_return;
        } else if (error) {
          co_return close();
        }
      }
    }
    end_output();
    // The other end has ended its output or is closed. Once it is closed, nobody reads any more.
    co_await local_.async_wait(Socket::wait_error, protocol::awaiting);
    close();
  }

  asio::awaitable<void> receive(std::shared_ptr<Tunnel> /*self*/) {
    std::array<char, 16384> chunk;
    for (;;) {
      error_code error;
      const auto size = tls_.read_some(chunk, error);
      if (error == asio::error::would_block) {
        const auto [failed] = co_await remote_.async_wait(Socket::wait_read, protocol::awaiting);
        if (failed || !remote_.is_open()) break;
        continue;
      }
      if (error) break;
      const auto [failed, written] =
          co_await asio::async_write(local_, asio::buffer(chunk, size), protocol::awaiting);
      if (failed || !remote_.is_open()) break;
    }
    close();
  }

  /// Tells the server that nothing more comes; otherwise it would take the end for an attack.
  void end_output() {
    if (!remote_.is_open()) return;
    error_code ignored;
    tls_.end_output(ignored);
    remote_.shutdown(Socket::shutdown_send, ignored);
  }
  void close() {
    error_code ignored;
    remote_.close(ignored);
    local_.close(ignored);
  }

  Socket remote_;
  tls::TlsStream tls_;
  Socket local_;
};

}  // namespace

asio::awaitable<Socket> secure(Socket& remote, std::string host, std::string ca_file) {
  std::optional<tls::TlsStream> tls;
  try {
    remote.non_blocking(true);
    tls.emplace(*tls::client_context(ca_file), remote.native_handle(), host);
  } catch (const std::exception& wrong) {
    throw EngineFailure(EngineFailure::Kind::refused, wrong.what());
  }
  for (;;) {
    error_code error;
    tls->shake_hands(error);
    if (!error) break;
    if (error != asio::error::would_block) {
      throw EngineFailure(EngineFailure::Kind::refused, tls->why(error));
    }
    const auto wait = tls->wants_to_write() ? Socket::wait_write : Socket::wait_read;
    const auto [failed] = co_await remote.async_wait(wait, protocol::awaiting);
    if (failed || !remote.is_open()) {
      throw EngineFailure(EngineFailure::Kind::closed, "connection closed");
    }
  }
  auto [ours, theirs] = connected_pair(remote.get_executor());
  std::make_shared<Tunnel>(std::move(remote), *std::move(tls), std::move(theirs))->start();
  co_return std::move(ours);
}

}  // namespace pitboss::clients
