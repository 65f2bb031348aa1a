#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>

#include "server/net/listen_address.hpp"

namespace pitboss::server {

/// A listening socket.
class Listener {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  /// Listens. Throws std::runtime_error with a sentence.
  Listener(boost::asio::io_context& io, ListenAddress address);

  /// With the real port.
  [[nodiscard]] const ListenAddress& address() const { return address_; }

  /// Whether only this machine can connect.
  [[nodiscard]] bool is_local() const { return acceptor_.local_endpoint().address().is_loopback(); }

  /// Hands over connections until `close`. If accepting fails, pauses for a moment before the next
  /// try; calls `on_shortage` if descriptors have run out.
  boost::asio::awaitable<void> accept(
      std::function<void(Socket)> on_connection, std::function<void()> on_shortage = [] {});
  void close();

 private:
  void take_more(const std::function<void(Socket)>& on_connection);

  ListenAddress address_;
  boost::asio::ip::tcp::acceptor acceptor_;
};

}  // namespace pitboss::server
