#include "server/net/listener.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "protocol/awaiting.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto pause_after_failure = std::chrono::milliseconds(100);

// Prefers IPv4 if a name has both, since most clients that are given a name try IPv4.
tcp::endpoint resolve(asio::io_context& io, const ListenAddress& address) {
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(address.host, std::to_string(address.port),
                                      tcp::resolver::passive | tcp::resolver::numeric_service);
  for (const auto& entry : found) {
    if (entry.endpoint().address().is_v4()) return entry.endpoint();
  }
  return found.begin()->endpoint();
}

}  // namespace

Listener::Listener(asio::io_context& io, ListenAddress address)
    : address_(std::move(address)), acceptor_(io) {
  try {
    const auto endpoint = resolve(io, address_);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    if (endpoint.address().is_v6()) acceptor_.set_option(asio::ip::v6_only(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
    acceptor_.non_blocking(true);
    address_.port = acceptor_.local_endpoint().port();
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("cannot listen on " + host_and_port(address_) + ": " +
                             error.code().message());
  }
}

asio::awaitable<void> Listener::accept(std::function<void(Socket)> on_connection,
                                       std::function<void()> on_shortage) {
  asio::steady_timer pause(acceptor_.get_executor());
  bool failing = false;
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(protocol::awaiting);
    if (!acceptor_.is_open()) break;
    if (!error) {
      failing = false;
      on_connection(std::move(socket));
      take_more(on_connection);
      continue;
    }
    if (!failing) {
      spdlog::warn("cannot accept a connection: {}", error.message());
      const bool is_shortage = error == asio::error::no_descriptors ||
                               error == boost::system::errc::too_many_files_open_in_system;
      if (is_shortage) on_shortage();
    }
    failing = true;
    pause.expires_after(pause_after_failure);
    co_await pause.async_wait(protocol::awaiting);
  }
}

/// Accepts more connections at once. With one in each turn of a busy event loop, clients behind
/// many others would wait long.
void Listener::take_more(const std::function<void(Socket)>& on_connection) {
  constexpr int most = 16;
  for (int i = 0; i < most && acceptor_.is_open(); ++i) {
    Socket socket(acceptor_.get_executor());
    error_code error;
    acceptor_.accept(socket, error);
    if (error) return;
    on_connection(std::move(socket));
  }
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

}  // namespace pitboss::server
