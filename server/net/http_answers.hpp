#pragma once

#include <optional>

#include "protocol/http.hpp"
#include "protocol/http_answers.hpp"

namespace pitboss::server {

/// What a browser that asks for the page or its WebSocket is answered; nothing if it may have the
/// WebSocket. Any thread.
[[nodiscard]] std::optional<protocol::HttpAnswer> answer_to_browser(
    const protocol::HttpRequest& request, const protocol::WebAddress& address);

}  // namespace pitboss::server
