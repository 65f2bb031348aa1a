#include "server/metrics/metrics_page.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "protocol/awaiting.hpp"
#include "protocol/http.hpp"
#include "server/net/http_answers.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using namespace std::chrono_literals;

namespace {

constexpr auto patience = 5s;
constexpr std::size_t most_connections = 16;
constexpr std::uint32_t longest_header = 4096;
constexpr std::string_view path = "/metrics";

/// `is_local`: only this machine reaches the page, which a browser must not read for a web page
/// whose name leads here.
HttpAnswer answer_to(const HttpRequest& request, bool is_local,
                     const std::function<std::string()>& text) {
  const auto host = request.find(http::field::host);
  if (is_local && host != request.end() && !protocol::is_loopback_host(view(host->value()))) {
    return http_text(http::status::misdirected_request, "this page is for localhost\n");
  }
  const std::string_view target = view(request.target());
  if (target.substr(0, target.find('?')) != path) {
    return http_text(http::status::not_found, "there is /metrics and nothing else\n");
  }
  if (request.method() != http::verb::get) {
    const bool has_body = request.method() != http::verb::head;
    auto refusal =
        http_text(http::status::method_not_allowed, has_body ? "/metrics is for GET\n" : "");
    refusal.set(http::field::allow, "GET");
    return refusal;
  }
  HttpAnswer page = http_text(http::status::ok, text());
  page.set(http::field::content_type, "text/plain; version=0.0.4; charset=utf-8");
  return page;
}

/// Reads the peer's remaining input: closing with unread input would destroy the answer.
asio::awaitable<void> discard_input(beast::tcp_stream& stream) {
  constexpr auto linger_time = 1s;
  constexpr std::size_t most = 1 << 20;
  stream.expires_after(linger_time);
  std::array<char, 4096> chunk;
  for (std::size_t sum = 0; sum < most;) {
    const auto [error, size] =
        co_await stream.async_read_some(asio::buffer(chunk), protocol::awaiting);
    if (error) break;
    sum += size;
  }
}

}  // namespace

/// A connection's place among those that are open, until it is closed or gives way.
class MetricsPage::Place {
 public:
  Place(std::shared_ptr<Streams> open, beast::tcp_stream& stream)
      : open_(std::move(open)), stream_(stream) {
    open_->push_back(&stream_);
  }
  ~Place() { open_->remove(&stream_); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

 private:
  std::shared_ptr<Streams> open_;
  beast::tcp_stream& stream_;
};

MetricsPage::MetricsPage(asio::io_context& io, const ListenAddress& address,
                         std::function<std::string()> text)
    : io_(io), listener_(io, address), text_(std::move(text)) {}

void MetricsPage::start() {
  const auto on_connection = [this](Listener::Socket socket) {
    if (open_->size() >= most_connections) {
      open_->front()->close();
      open_->pop_front();
    }
    try {
      asio::co_spawn(io_, answer(std::move(socket)), asio::detached);
    } catch (const std::bad_alloc&) {
      spdlog::error("metrics: no memory for a page");
    }
  };
  asio::co_spawn(io_, listener_.accept(on_connection), asio::detached);
}

asio::awaitable<void> MetricsPage::answer(Listener::Socket socket) {
  beast::tcp_stream stream(std::move(socket));
  const Place place(open_, stream);
  beast::flat_buffer buffer(2 * longest_header);
  http::request_parser<http::empty_body> parser;
  parser.header_limit(longest_header);
  stream.expires_after(patience);
  const auto [error, size] =
      co_await http::async_read_header(stream, buffer, parser, protocol::awaiting);
  if (error && !is_bad_request(error)) co_return;
  const HttpAnswer response =
      error ? bad_request(error) : answer_to(parser.get(), listener_.is_local(), text_);
  stream.expires_after(patience);
  const auto [failed, sent] = co_await http::async_write(stream, response, protocol::awaiting);
  if (failed) co_return;
  beast::error_code ignored;
  stream.socket().shutdown(Listener::Socket::shutdown_send, ignored);
  co_await discard_input(stream);
}

}  // namespace pitboss::server
