#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>
#include <string>
#include <string_view>

#include "protocol/web_file.hpp"

/// Requests by HTTP and their answers, one a connection. Any thread.
namespace pitboss::protocol {

using HttpRequest = boost::beast::http::request<boost::beast::http::empty_body>;
using HttpAnswer = boost::beast::http::response<boost::beast::http::string_body>;

/// A text, after which the connection closes.
[[nodiscard]] HttpAnswer http_text(boost::beast::http::status status, std::string text);
/// Whether a request could not be read for its own fault, and the peer waits for an answer.
[[nodiscard]] bool is_bad_request(const boost::system::error_code& error);
[[nodiscard]] HttpAnswer bad_request(const boost::system::error_code& error);

/// The value of a header; empty if there is none.
[[nodiscard]] std::string_view header(const HttpRequest& request, boost::beast::http::field name);

// Answers to browsers have headers by which a page runs no script or style but those of its server,
// and cannot be shown inside another page.

/// A refusal with a sentence.
[[nodiscard]] HttpAnswer refusal(boost::beast::http::status status, std::string sentence);
/// Whether the request names the tag of what it knows already.
[[nodiscard]] bool knows(const HttpRequest& request, std::string_view tag);
/// Bytes of a type, to GET or HEAD; only that they have not changed if the request knows the tag,
/// which changes with the bytes and stands in quotation marks.
[[nodiscard]] HttpAnswer tagged_answer(const HttpRequest& request, std::string_view type,
                                       std::string_view tag, std::string_view bytes);

/// A file of a page, compressed for who accepts that.
[[nodiscard]] HttpAnswer file_answer(const HttpRequest& request, const WebFile& file);

[[nodiscard]] inline std::string_view view(const boost::core::string_view& text) {
  return {text.data(), text.size()};
}

}  // namespace pitboss::protocol
