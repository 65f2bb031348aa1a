#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/published/table.hpp"
#include "clients/results/document/writers.hpp"

/// Parts of pages in Markdown.
namespace pitboss::clients {

/// The cells of a line of a table.
using Row = std::vector<std::string>;
/// The remark at the top of a page that is made from `sources`.
[[nodiscard]] std::string made_by(const std::string& sources);
/// "connect4", "gomoku size=7": the game, with the parameters that are not its own choice.
[[nodiscard]] std::string rules_name(const Match& match);
/// "about 1.4 hours of a processor", "about 12 minutes of a processor".
[[nodiscard]] std::string hours_text(double hours);
/// "Of 20 published figures 17 are reproduced, 2 contradicted, 1 begun." What has words only are
/// statements.
[[nodiscard]] std::string verdicts_text(const Count& count);
/// "+0.4 [-1.4, +2.2]", in points.
[[nodiscard]] std::string points_text(const Difference& difference);
/// "better" or "worse" than the control; empty if nothing is shown.
[[nodiscard]] std::string_view standing_of(const ControlComparison& one);
/// "72 comparisons in [a](a.md) and [b](b.md), of which 20 were played to the end; the others count
/// with p = 1."
[[nodiscard]] std::string played_text(const Family& family);
/// How much of a gain the intervals allow: two sentences. `tables` has those of the family.
[[nodiscard]] std::string highest_text(const Family& family, std::span<const Table> tables);

}  // namespace pitboss::clients
