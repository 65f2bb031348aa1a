#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "server/net/listener.hpp"

namespace pitboss::server {

/// The page /metrics for Prometheus, by HTTP: `GET /metrics`, one request a connection, headers of
/// 4 KiB at most, 5 s for a request and 5 s for its answer, 16 connections at a time, of which the
/// oldest gives way to one more. Refuses all else, and on a loopback address every Host but this
/// machine. Belongs to the I/O thread; to be closed before the event loop ends.
class MetricsPage {
 public:
  /// Listens; `text` makes the page. Throws std::runtime_error with a sentence.
  MetricsPage(boost::asio::io_context& io, const ListenAddress& address,
              std::function<std::string()> text);

  /// With its real port.
  [[nodiscard]] const ListenAddress& address() const { return listener_.address(); }
  /// Begins to serve; does not block. To be called once.
  void start();
  void close() { listener_.close(); }

 private:
  class Place;
  using Streams = std::list<boost::beast::tcp_stream*>;  ///< in the order in which they came

  boost::asio::awaitable<void> answer(Listener::Socket socket);

  boost::asio::io_context& io_;
  Listener listener_;
  std::function<std::string()> text_;
  /// Connections; shared with coroutines that the event loop may destroy after the page.
  std::shared_ptr<Streams> open_ = std::make_shared<Streams>();
};

}  // namespace pitboss::server
