#include "protocol/listener.hpp"

#include <algorithm>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "protocol/awaiting.hpp"

namespace pitboss::protocol {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr auto pause_after_failure = std::chrono::milliseconds(100);

// Prefers IPv4 if a name has both, since most clients that are given a name try IPv4.
tcp::endpoint resolve(asio::io_context& io, const HostAndPort& place) {
  tcp::resolver resolver(io);
  const auto found = resolver.resolve(place.host, std::to_string(place.port),
                                      tcp::resolver::passive | tcp::resolver::numeric_service);
  for (const auto& entry : found) {
    if (entry.endpoint().address().is_v4()) return entry.endpoint();
  }
  return found.begin()->endpoint();
}

}  // namespace

HostAndPort parse_host_and_port(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) throw std::invalid_argument("expected HOST:PORT");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != host.npos) {
    throw std::invalid_argument("an IPv6 address must be in brackets, as in [::1]:4580");
  }
  if (host.empty()) throw std::invalid_argument("expected a host before ':'");
  HostAndPort out{std::string(host)};
  const char* const end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data(), end, out.port);
  if (error != std::errc{} || stop != end) {
    throw std::invalid_argument("the port must be a number from 0 to 65535");
  }
  return out;
}

Listener::Listener(asio::io_context& io, const HostAndPort& place, const std::string& name)
    : acceptor_(io) {
  try {
    const auto endpoint = resolve(io, place);
    acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    if (endpoint.address().is_v6()) acceptor_.set_option(asio::ip::v6_only(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
    acceptor_.non_blocking(true);
    port_ = acceptor_.local_endpoint().port();
  } catch (const boost::system::system_error& error) {
    throw std::runtime_error("cannot listen on " + name + ": " + error.code().message());
  }
}

asio::awaitable<void> Listener::accept(std::function<void(Socket)> on_connection,
                                       std::function<void(const error_code&)> on_failure) {
  asio::steady_timer pause(acceptor_.get_executor());
  bool failing = false;
  while (acceptor_.is_open()) {
    auto [error, socket] = co_await acceptor_.async_accept(awaiting);
    if (!acceptor_.is_open()) break;
    if (!error) {
      failing = false;
      on_connection(std::move(socket));
      take_more(on_connection);
      continue;
    }
    if (!failing) on_failure(error);
    failing = true;
    pause.expires_after(pause_after_failure);
    co_await pause.async_wait(awaiting);
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

std::string host_of(const asio::ip::address& address) {
  if (!address.is_v6() || address.is_loopback()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + bytes.size() / 2, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string() + "/64";
}

}  // namespace pitboss::protocol
