#pragma once

#include <string>
#include <string_view>

#include "clients/report/markup.hpp"

namespace pitboss::clients {

/// A self-contained page in the style of all our reports.
[[nodiscard]] std::string html_page(std::string_view title, const Markup& content);

}  // namespace pitboss::clients
