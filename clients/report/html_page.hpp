#pragma once

#include <string>
#include <string_view>

#include "clients/report/markup.hpp"

namespace pitboss::clients {

/// A page of its own, in the style of all our reports, that needs no other file.
[[nodiscard]] std::string html_page(std::string_view title, const Markup& content);

}  // namespace pitboss::clients
