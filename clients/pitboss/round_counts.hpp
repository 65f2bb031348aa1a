#pragma once

#include <string>
#include <vector>

#include "clients/experiments/statistics/scores.hpp"
#include "clients/experiments/statistics/sprt.hpp"

/// What the commands about a match's numbers read.
namespace pitboss::clients {

/// The rounds that so many words count: five for pairs of games with swapped seats, by the first
/// player's points, from none to two; three for games won, drawn and lost. Throws UserError.
[[nodiscard]] Scores scores_of_counts(const std::vector<std::string>& words);

/// The rule that --sprt gives. Throws UserError, too, if there is no such test for rounds of so
/// many games.
[[nodiscard]] SprtPlan sprt_plan(const std::string& rule, int games_per_round);

}  // namespace pitboss::clients
