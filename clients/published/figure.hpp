#pragma once

#include <string>

#include "clients/published/table.hpp"

namespace pitboss::clients {

/// Whether a match whose player has a point was played to the end.
[[nodiscard]] bool has_figure(const Table& table);
/// The figure of a table that has one, as a file in SVG: each series' scores of distinct rounds,
/// of matches that were played to the end, with their 95 % intervals.
[[nodiscard]] std::string figure_of(const Table& table);

}  // namespace pitboss::clients
