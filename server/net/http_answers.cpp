#include "server/net/http_answers.hpp"

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <utility>

#include "clients/web/page_files.hpp"

namespace pitboss::server {

namespace http = boost::beast::http;

namespace {

constexpr std::string_view socket_path = "/gtp";

void guard(HttpAnswer& answer) {
  answer.set("Content-Security-Policy",
             "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  answer.set("X-Content-Type-Options", "nosniff");
  answer.set("Referrer-Policy", "no-referrer");
}

HttpAnswer refusal(http::status status, std::string sentence) {
  HttpAnswer answer = http_text(status, std::move(sentence += '\n'));
  guard(answer);
  return answer;
}

std::string_view header(const HttpRequest& request, http::field name) {
  const auto found = request.find(name);
  return found == request.end() ? std::string_view() : view(found->value());
}

/// Whether the header names the tag, in a list or alone. A weak tag has the same quoted part.
bool names_tag(std::string_view list, std::string_view tag) {
  return list == "*" || list.find(tag) != std::string_view::npos;
}

HttpAnswer file_answer(const HttpRequest& request, const clients::PageFile& file) {
  const bool is_known = names_tag(header(request, http::field::if_none_match), file.etag);
  const bool has_body = !is_known && request.method() == http::verb::get;
  HttpAnswer answer = http_text(is_known ? http::status::not_modified : http::status::ok,
                                has_body ? std::string(file.bytes) : std::string());
  answer.set(http::field::content_type, file.type);
  answer.set(http::field::etag, file.etag);
  answer.set(http::field::cache_control, "no-cache");  // it asks each time, by the tag
  if (!is_known) answer.content_length(file.bytes.size());
  guard(answer);
  return answer;
}

}  // namespace

HttpAnswer http_text(http::status status, std::string text) {
  constexpr unsigned http_1_1 = 11;
  HttpAnswer answer{status, http_1_1, std::move(text)};
  answer.set(http::field::content_type, "text/plain; charset=utf-8");
  answer.keep_alive(false);
  answer.prepare_payload();
  return answer;
}

bool is_bad_request(const boost::system::error_code& error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

HttpAnswer bad_request(const boost::system::error_code& error) {
  return error == http::error::header_limit || error == http::error::buffer_overflow
             ? http_text(http::status::request_header_fields_too_large, "the header is too long\n")
             : http_text(http::status::bad_request, "this is no HTTP request\n");
}

std::optional<HttpAnswer> answer_to_browser(const HttpRequest& request,
                                            const protocol::WebAddress& address) {
  const std::string_view host = header(request, http::field::host);
  if (!protocol::is_own_host(address, host)) {
    return refusal(http::status::misdirected_request,
                   "this server does not know the name by which it was asked (header Host); a name "
                   "that leads here is given by pitbossd --http NAME:PORT or --http-origin "
                   "https://NAME");
  }
  const std::string_view target = view(request.target());
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
  const auto files = clients::page_files();
  const auto file = std::ranges::find(files, path, &clients::PageFile::path);
  if (file == files.end()) return refusal(http::status::not_found, "there is no such file");
  return file_answer(request, *file);
}

}  // namespace pitboss::server
