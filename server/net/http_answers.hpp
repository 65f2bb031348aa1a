#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/http.hpp"

/// What is answered to requests by HTTP, one a connection. Any thread.
namespace pitboss::server {

using HttpRequest = boost::beast::http::request<boost::beast::http::empty_body>;
using HttpAnswer = boost::beast::http::response<boost::beast::http::string_body>;

/// A text, after which the connection closes.
[[nodiscard]] HttpAnswer http_text(boost::beast::http::status status, std::string text);
/// Whether a request could not be read for its own fault, and the peer waits for an answer.
[[nodiscard]] bool is_bad_request(const boost::system::error_code& error);
[[nodiscard]] HttpAnswer bad_request(const boost::system::error_code& error);

/// What a browser that asks for the page or its WebSocket is answered; nothing if it may have the
/// WebSocket.
[[nodiscard]] std::optional<HttpAnswer> answer_to_browser(const HttpRequest& request,
                                                          const protocol::WebAddress& address);

[[nodiscard]] inline std::string_view view(const boost::core::string_view& text) {
  return {text.data(), text.size()};
}

}  // namespace pitboss::server
