#pragma once

#include <vector>

#include "clients/referee/results.hpp"
#include "clients/report/markup.hpp"
#include "clients/report/tournament.hpp"

/// The charts of a report that compare several players: ratings and matrices of scores.
namespace pitboss::clients {

[[nodiscard]] Markup ratings_chart(const Tournament& tournament);
/// Scores of all players against each other, as a table with coloured cells.
[[nodiscard]] Markup results_matrix(const Tournament& tournament);

/// The classes of a cell that is the paler the nearer its score is to 1/2: "ahead lead-20".
[[nodiscard]] std::string heat_classes(double score);

/// Scores of each pair of players at each game; for experiments with several games.
[[nodiscard]] Markup games_matrix(const Results& results, const std::vector<Tournament>& games);

}  // namespace pitboss::clients
