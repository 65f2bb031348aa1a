#pragma once

#include "clients/results/document/chart.hpp"
#include "clients/results/document/markup.hpp"

namespace pitboss::clients {

/// The chart in SVG, which needs no script; the page's style sheet sets colours and strokes by
/// class.
[[nodiscard]] Markup svg_of(const Chart& chart);

}  // namespace pitboss::clients
