#include "server/net/metrics_page.hpp"

#include <spdlog/spdlog.h>

#include <string_view>
#include <utility>

#include "protocol/http.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using protocol::http_text;
using protocol::HttpAnswer;
using protocol::HttpRequest;
using protocol::Listener;

namespace {

constexpr std::string_view path = "/metrics";

/// `is_local`: only this machine reaches the page, which a browser must not read for a web page
/// whose name leads here.
HttpAnswer answer_to(const HttpRequest& request, bool is_local,
                     const std::function<std::string()>& text) {
  const auto host = request.find(http::field::host);
  if (is_local && host != request.end() &&
      !protocol::is_loopback_host(protocol::view(host->value()))) {
    return http_text(http::status::misdirected_request, "this page is for localhost\n");
  }
  const std::string_view target = protocol::view(request.target());
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

protocol::HttpServer server_at(asio::io_context& io, const ListenAddress& address,
                               std::function<std::string()> text) {
  Listener listener(io, {address.host, address.port}, host_and_port(address));
  const bool is_local = listener.is_local();
  return {
      io, std::move(listener), protocol::HttpLimits(),
      [is_local, text = std::move(text)](const HttpRequest& request, const std::string& /*host*/) {
        return answer_to(request, is_local, text);
      },
      [](const std::string& failure) { spdlog::error("metrics: {}", failure); }};
}

}  // namespace

MetricsPage::MetricsPage(asio::io_context& io, ListenAddress address,
                         std::function<std::string()> text)
    : address_(std::move(address)), server_(server_at(io, address_, std::move(text))) {
  address_.port = server_.listener().port();
}

}  // namespace pitboss::server
