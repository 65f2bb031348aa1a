#pragma once

#include <string_view>

#include "clients/results/document/chart.hpp"
#include "clients/results/document/markup.hpp"

namespace pitboss::clients {

/// The chart in SVG, which needs no script; the page's style sheet sets colours and strokes by
/// class. With a style sheet of its own the picture is a whole file.
[[nodiscard]] Markup svg_of(const Chart& chart, std::string_view style_sheet = {});

}  // namespace pitboss::clients
