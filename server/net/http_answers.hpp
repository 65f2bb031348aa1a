#pragma once

#include <optional>
#include <span>

#include "protocol/http.hpp"
#include "protocol/http_answers.hpp"
#include "protocol/web_file.hpp"

namespace pitboss::server {

/// What a browser that asks for one of the page's files or its WebSocket is answered; nothing if it
/// may have the WebSocket. Any thread.
[[nodiscard]] std::optional<protocol::HttpAnswer> answer_to_browser(
    const protocol::HttpRequest& request, const protocol::WebAddress& address,
    std::span<const protocol::WebFile> page);

}  // namespace pitboss::server
