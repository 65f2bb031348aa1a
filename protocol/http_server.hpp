#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include "protocol/http_answers.hpp"
#include "protocol/listener.hpp"

namespace pitboss::protocol {

/// What an HTTP server takes from its clients.
struct HttpLimits {
  std::chrono::seconds patience{5};  ///< for a request, and while nothing of its answer is taken
  /// Of those the oldest of the host that has most gives way to one more.
  std::size_t connections = 16;
  std::uint32_t header = 4096;  ///< bytes
};

/// Threads that make answers.
struct HttpWorkers {
  boost::asio::any_io_executor executor;
  std::size_t most = 64;     ///< requests that wait for them or are being answered; others get 503
  std::size_t requests = 0;  ///< of the server
};
struct HttpWork {
  HttpWorkers& workers;
  std::chrono::seconds delay{};  ///< before they begin
};

/// A small HTTP server: one request a connection, without a body. Belongs to the thread of its
/// event loop; to be closed before that ends.
class HttpServer {
 public:
  /// The answer to the request of a host (`host_of`).
  using Answer = std::function<HttpAnswer(const HttpRequest&, const std::string& host)>;
  /// Who makes the answer, and when; called on the event loop.
  using Plan = std::function<HttpWork(const HttpRequest&, const std::string& host)>;

  /// `answer` runs on the event loop, which must not be blocked, or else, with a `plan`, on
  /// workers, perhaps on several threads at once; they must end before the server does.
  /// `on_failure` is told in a sentence when a connection cannot be served for a fault of this
  /// machine.
  HttpServer(boost::asio::io_context& io, Listener listener, HttpLimits limits, Answer answer,
             std::function<void(const std::string&)> on_failure, Plan plan = {});

  [[nodiscard]] const Listener& listener() const { return listener_; }
  /// Begins to serve; does not block. To be called once.
  void start();
  void close() { listener_.close(); }

 private:
  class Place;
  using Places = std::list<Place*>;  ///< in the order in which they came

  [[nodiscard]] Place& most_dispensable() const;
  boost::asio::awaitable<void> serve(Listener::Socket socket);
  boost::asio::awaitable<HttpAnswer> answer_to(const HttpRequest& request, const std::string& host,
                                               const Place& place);

  boost::asio::io_context& io_;
  Listener listener_;
  HttpLimits limits_;
  Answer answer_;
  std::function<void(const std::string&)> on_failure_;
  Plan plan_;
  /// Connections; shared with coroutines that the event loop may destroy after the server.
  std::shared_ptr<Places> open_ = std::make_shared<Places>();
};

}  // namespace pitboss::protocol
