#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <string>

#include "protocol/http_server.hpp"
#include "server/net/listen_address.hpp"

namespace pitboss::server {

/// The page /metrics for Prometheus, by HTTP: `GET /metrics`, within the limits of `HttpLimits`.
/// Refuses all else, and on a loopback address every Host but this machine. Belongs to the I/O
/// thread; to be closed before the event loop ends.
class MetricsPage {
 public:
  /// Listens; `text` makes the page. Throws std::runtime_error with a sentence.
  MetricsPage(boost::asio::io_context& io, ListenAddress address,
              std::function<std::string()> text);

  /// With its real port.
  [[nodiscard]] const ListenAddress& address() const { return address_; }
  /// Begins to serve; does not block. To be called once.
  void start() { server_.start(); }
  void close() { server_.close(); }

 private:
  ListenAddress address_;
  protocol::HttpServer server_;
};

}  // namespace pitboss::server
