#pragma once

#include <string>
#include <string_view>

#include "clients/published/table.hpp"
#include "clients/published/times.hpp"

namespace pitboss::clients {

/// Whether a match whose player has a point was played to the end.
[[nodiscard]] bool has_figure(const Table& table);
/// The figure of a table that has one, as a file in SVG: each series' scores of distinct rounds,
/// of matches that were played to the end, with their 95 % intervals.
[[nodiscard]] std::string figure_of(const Table& table);

inline constexpr std::string_view times_figure_title = "Time of a search over that without novelty";
/// Ratios with their 95 % intervals: a row for each game, with static values and with networks, and
/// a colour for each measure.
[[nodiscard]] std::string figure_of(const Times& times);

}  // namespace pitboss::clients
