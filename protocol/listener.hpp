#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pitboss::protocol {

/// A place to listen at.
struct HostAndPort {
  std::string host;        ///< a name or a literal address, without brackets
  std::uint16_t port = 0;  ///< 0: one that is free
};
/// Reads `HOST:PORT`; an IPv6 literal stands in brackets. Throws std::invalid_argument with why it
/// cannot.
[[nodiscard]] HostAndPort parse_host_and_port(std::string_view text);

/// The host of the address, for limits per host. For IPv6, where a host has as many addresses as it
/// likes, its network of 64 bits.
[[nodiscard]] std::string host_of(const boost::asio::ip::address& address);

/// A listening socket.
class Listener {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  /// Listens. Throws std::runtime_error with a sentence, which calls the place `name`.
  Listener(boost::asio::io_context& io, const HostAndPort& place, const std::string& name);

  /// The real one.
  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Whether only this machine can connect.
  [[nodiscard]] bool is_local() const { return acceptor_.local_endpoint().address().is_loopback(); }

  /// Hands over connections until `close`. If accepting fails it pauses for a moment and tries
  /// again; `on_failure` is told the first failure of a row.
  boost::asio::awaitable<void> accept(
      std::function<void(Socket)> on_connection,
      std::function<void(const boost::system::error_code&)> on_failure);
  void close();

 private:
  void take_more(const std::function<void(Socket)>& on_connection);

  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_ = 0;
};

}  // namespace pitboss::protocol
