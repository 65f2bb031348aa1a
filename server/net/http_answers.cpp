#include "server/net/http_answers.hpp"

#include <algorithm>
#include <boost/beast/websocket/rfc6455.hpp>
#include <string_view>

namespace pitboss::server {

namespace http = boost::beast::http;
using protocol::header;
using protocol::HttpAnswer;
using protocol::HttpRequest;
using protocol::refusal;

namespace {

constexpr std::string_view socket_path = "/gtp";

}  // namespace

std::optional<HttpAnswer> answer_to_browser(const HttpRequest& request,
                                            const protocol::WebAddress& address,
                                            std::span<const protocol::WebFile> page) {
  const std::string_view host = header(request, http::field::host);
  if (!protocol::is_own_host(address, host)) {
    return refusal(http::status::misdirected_request,
                   "this server does not know the name by which it was asked (header Host); a name "
                   "that leads here is given by pitbossd --http NAME:PORT or --http-origin "
                   "https://NAME");
  }
  const std::string_view target = protocol::view(request.target());
  const std::string_view path = target.substr(0, target.find('?'));
  const std::string_view query = target.substr(path.size());
  const bool is_socket = path == socket_path;
  if (query.find("token=") != std::string_view::npos || (is_socket && !query.empty())) {
    return refusal(http::status::bad_request,
                   "a token does not belong into an address, which histories and logs keep: the "
                   "first frame is {\"id\":0,\"line\":\"auth TOKEN\"}");
  }
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    auto answer = refusal(http::status::method_not_allowed, "the page is for GET and HEAD");
    answer.set(http::field::allow, "GET, HEAD");
    return answer;
  }
  if (is_socket) {
    if (!boost::beast::websocket::is_upgrade(request)) {
      auto answer = refusal(http::status::upgrade_required, "/gtp is a WebSocket");
      answer.set(http::field::upgrade, "websocket");
      return answer;
    }
    const std::string_view origin = header(request, http::field::origin);
    const bool is_page = request.count(http::field::origin) > 0;
    if (is_page && !protocol::is_own_origin(address, origin, host)) {
      return refusal(http::status::forbidden,
                     "a page of another address may not use this server; pitbossd --http-origin "
                     "ORIGIN allows it");
    }
    return std::nullopt;
  }
  const auto file = std::ranges::find(page, path, &protocol::WebFile::path);
  if (file == page.end()) return refusal(http::status::not_found, "there is no such file");
  return protocol::file_answer(request, *file);
}

}  // namespace pitboss::server
