#include "protocol/http_answers.hpp"

#include <algorithm>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <ctime>
#include <string>
#include <utility>

namespace pitboss::protocol {

namespace http = boost::beast::http;

namespace {

/// As RFC 9110 writes times.
std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char out[32];
  if (::gmtime_r(&now, &parts) == nullptr) return {};
  return {out, std::strftime(out, sizeof out, "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

void guard(HttpAnswer& answer) {
  answer.set("Content-Security-Policy",
             "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  answer.set("X-Content-Type-Options", "nosniff");
  answer.set("Referrer-Policy", "no-referrer");
}

}  // namespace

HttpAnswer http_text(http::status status, std::string text) {
  constexpr unsigned http_1_1 = 11;
  HttpAnswer answer{status, http_1_1, std::move(text)};
  answer.set(http::field::date, time_of_day());
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

std::string_view header(const HttpRequest& request, http::field name) {
  const auto found = request.find(name);
  return found == request.end() ? std::string_view() : view(found->value());
}

HttpAnswer refusal(http::status status, std::string sentence) {
  HttpAnswer answer = http_text(status, std::move(sentence += '\n'));
  guard(answer);
  return answer;
}

/// In a list or alone. A weak tag has the same quoted part.
bool knows(const HttpRequest& request, std::string_view tag) {
  const std::string_view list = header(request, http::field::if_none_match);
  return list == "*" || list.find(tag) != std::string_view::npos;
}

HttpAnswer tagged_answer(const HttpRequest& request, std::string_view type, std::string_view tag,
                         std::string_view bytes) {
  const bool is_known = knows(request, tag);
  const bool has_body = !is_known && request.method() == http::verb::get;
  HttpAnswer answer = http_text(is_known ? http::status::not_modified : http::status::ok,
                                has_body ? std::string(bytes) : std::string());
  answer.set(http::field::content_type, type);
  answer.set(http::field::etag, tag);
  answer.set(http::field::cache_control, "no-cache");  // it asks each time, by the tag
  if (!is_known) answer.content_length(bytes.size());
  guard(answer);
  return answer;
}

namespace {

/// "gzip", but not "gzip;q=0".
bool accepts_gzip(const HttpRequest& request) {
  // Without the comma, ext_list gives the last coding the parameters of the one before it.
  const std::string accepted = std::string(header(request, http::field::accept_encoding)) + ',';
  for (const auto& [coding, parameters] : http::ext_list(accepted)) {
    if (!boost::beast::iequals(coding, "gzip")) continue;
    const auto refuses = [](const auto& parameter) {
      return boost::beast::iequals(parameter.first, "q") &&
             view(parameter.second).find_first_not_of("0.") == std::string_view::npos;
    };
    return std::none_of(parameters.begin(), parameters.end(), refuses);
  }
  return false;
}

}  // namespace

HttpAnswer file_answer(const HttpRequest& request, const WebFile& file) {
  const bool is_zipped = accepts_gzip(request);
  std::string tag(file.etag);
  if (is_zipped) tag.insert(tag.size() - 1, "-gzip");  // other bytes
  HttpAnswer answer = tagged_answer(request, file.type, tag, is_zipped ? file.zipped : file.bytes);
  if (is_zipped) answer.set(http::field::content_encoding, "gzip");
  answer.set(http::field::vary, "Accept-Encoding");
  return answer;
}

}  // namespace pitboss::protocol
