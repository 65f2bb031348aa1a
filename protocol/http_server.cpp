#include "protocol/http_server.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/write.hpp>
#include <exception>
#include <map>
#include <new>
#include <string_view>
#include <utility>

#include "protocol/awaiting.hpp"

namespace pitboss::protocol {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using namespace std::chrono_literals;

namespace {

/// Reads the peer's remaining input: closing with unread input would destroy the answer.
asio::awaitable<void> discard_input(beast::tcp_stream& stream) {
  constexpr auto linger_time = 1s;
  constexpr std::size_t most = 1 << 20;
  stream.expires_after(linger_time);
  std::array<char, 4096> chunk;
  for (std::size_t sum = 0; sum < most;) {
    const auto [error, size] = co_await stream.async_read_some(asio::buffer(chunk), awaiting);
    if (error) break;
    sum += size;
  }
}

}  // namespace

/// A connection's place among those that are open, until it is closed or gives way.
class HttpServer::Place {
 public:
  Place(std::shared_ptr<Places> open, beast::tcp_stream& stream, std::string host)
      : open_(std::move(open)), stream_(stream), host_(std::move(host)) {
    open_->push_back(this);
  }
  ~Place() { open_->remove(this); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  void give_way() {
    is_gone_ = true;
    stream_.close();
    open_->remove(this);
  }
  [[nodiscard]] const std::string& host() const { return host_; }
  /// Whether nobody waits for an answer any more. Any thread.
  [[nodiscard]] bool is_gone() const { return is_gone_; }

 private:
  std::shared_ptr<Places> open_;
  beast::tcp_stream& stream_;
  std::string host_;
  std::atomic<bool> is_gone_ = false;
};

HttpServer::HttpServer(asio::io_context& io, Listener listener, HttpLimits limits, Answer answer,
                       std::function<void(const std::string&)> on_failure, Plan plan)
    : io_(io),
      listener_(std::move(listener)),
      limits_(limits),
      answer_(std::move(answer)),
      on_failure_(std::move(on_failure)),
      plan_(std::move(plan)) {}

void HttpServer::start() {
  const auto on_connection = [this](Listener::Socket socket) {
    if (open_->size() >= limits_.connections) most_dispensable().give_way();
    try {
      asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
    } catch (const std::bad_alloc&) {
      on_failure_("no memory for a page");
    }
  };
  const auto on_failure = [this](const boost::system::error_code& error) {
    on_failure_("cannot accept a connection: " + error.message());
  };
  asio::co_spawn(io_, listener_.accept(on_connection, on_failure), asio::detached);
}

HttpServer::Place& HttpServer::most_dispensable() const {
  std::map<std::string_view, int> counts;
  for (const Place* const place : *open_) ++counts[place->host()];
  const auto count = [&](const Place* place) { return counts[place->host()]; };
  return **std::ranges::max_element(*open_, {}, count);  // the first of several
}

asio::awaitable<HttpAnswer> HttpServer::answer_to(const HttpRequest& request,
                                                  const std::string& host, const Place& place) {
  if (!plan_) co_return answer_(request, host);
  const auto [workers, delay] = plan_(request, host);
  if (delay > 0s) {
    asio::steady_timer timer(io_, delay);
    co_await timer.async_wait(awaiting);
  }
  if (workers.requests >= workers.most) {
    co_return http_text(http::status::service_unavailable, "too many wait for this; try again\n");
  }
  ++workers.requests;
  co_await asio::post(asio::bind_executor(workers.executor, asio::use_awaitable));
  HttpAnswer answer;
  try {
    if (!place.is_gone()) answer = answer_(request, host);
  } catch (const std::exception&) {
    answer = http_text(http::status::internal_server_error, "internal error\n");
  }
  co_await asio::post(asio::bind_executor(io_.get_executor(), asio::use_awaitable));
  --workers.requests;
  co_return answer;
}

asio::awaitable<void> HttpServer::serve(Listener::Socket socket) {
  beast::error_code ignored;
  const std::string host = host_of(socket.remote_endpoint(ignored).address());
  beast::tcp_stream stream(std::move(socket));
  const Place place(open_, stream, host);
  beast::flat_buffer buffer(2 * std::size_t{limits_.header});
  http::request_parser<http::empty_body> parser;
  parser.header_limit(limits_.header);
  stream.expires_after(limits_.patience);
  const auto [error, size] = co_await http::async_read_header(stream, buffer, parser, awaiting);
  if (error && !is_bad_request(error)) co_return;
  HttpAnswer answer;
  if (error) {
    answer = bad_request(error);
  } else {
    answer = co_await answer_to(parser.get(), host, place);
    if (parser.get().method() == http::verb::head) answer.body().clear();
  }
  http::response_serializer<http::string_body> rest(answer);
  while (!rest.is_done()) {
    stream.expires_after(limits_.patience);
    const auto [failed, sent] = co_await http::async_write_some(stream, rest, awaiting);
    if (failed) co_return;
  }
  stream.socket().shutdown(Listener::Socket::shutdown_send, ignored);
  co_await discard_input(stream);
}

}  // namespace pitboss::protocol
