#pragma once

#include <string>

#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// summary.json: depends on the experiment and its games alone, so that two runs agree to the byte.
/// Undefined numbers are null. One match gives an object; several matches give an array of such
/// objects under `matches`, and `ratings`.
[[nodiscard]] std::string summary_json(const Results& results);

/// The same as a table for the user.
[[nodiscard]] std::string summary_table(const Results& results);

/// "62-8-30, 66.0 % [56.1, 74.9]": wins-draws-losses, score and 95 % interval of the first player.
[[nodiscard]] std::string score_text(const Tally& tally);
/// "LLR +0.52 [-2.94, +2.94]", with the decision; the match must have a stopping rule.
[[nodiscard]] std::string llr_text(const MatchResults& match);
/// "accepted 0 normalized Elo, not +100"; the match's test must have decided.
[[nodiscard]] std::string verdict_text(const MatchResults& match);
/// "undecided", "elo0" or "elo1".
[[nodiscard]] std::string_view name_of(SprtVerdict verdict);
/// "preset=reference k=0.3"; for an engine that is not ours, its set-up commands.
[[nodiscard]] std::string options_text(const Player& player);
/// "gtp"; with the dialect in which the player writes moves if it is not plain.
[[nodiscard]] std::string language_text(const Player& player);
/// What the player is: "preset=reference k=0.3", "gnugo --mode gtp, speaks gtp; komi 0".
[[nodiscard]] std::string player_text(const Player& player);

}  // namespace pitboss::clients
