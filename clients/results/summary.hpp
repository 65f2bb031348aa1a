#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "clients/referee/results.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

/// summary.json, in one shape for any number of matches. Depends on the experiment, its games and
/// what the engines told of them; so two runs agree to the byte if time bounds no search. Undefined
/// numbers are null.
[[nodiscard]] std::string summary_json(const Results& results);
/// The same before it becomes a text.
[[nodiscard]] nlohmann::ordered_json summary_of(const Results& results);

/// Games that are left to play, at most.
[[nodiscard]] int games_left(const Results& results);
/// A log-likelihood ratio between its bounds: "+0.52 [-2.94, +2.94]".
[[nodiscard]] std::string llr_text(double ratio, const SprtPlan& plan);
/// "LLR +0.52 [-2.94, +2.94]", with the decision; the match must have a stopping rule.
[[nodiscard]] std::string llr_text(const MatchResults& match);
/// "accepted 0 normalized Elo, not +100", "undecided".
[[nodiscard]] std::string verdict_text(SprtVerdict verdict, const SprtPlan& plan);
/// "normalized Elo 0 against 5, alpha 0.05, beta 0.05".
[[nodiscard]] std::string sprt_text(const SprtPlan& plan);
/// "5000 / 73211": the players' simulations a move, medians; "-" for what nobody tells.
[[nodiscard]] std::string simulations_text(const MatchResults& match);
/// "uct 97 %, novel 48 %": the shares of a processor that the players' searches got; empty unless
/// time bounds a search and its engine tells.
[[nodiscard]] std::string shares_text(const MatchResults& match);
/// "uct +120.5, novel +3.0, plain -123.5; random lost all": the players' Elo in one line, the
/// strongest first; a semicolon before those who cannot be compared with those before.
[[nodiscard]] std::string ranking_text(const Tournament& tournament);
/// "undecided", "elo0" or "elo1".
[[nodiscard]] std::string_view name_of(SprtVerdict verdict);
/// "preset=reference k=0.3"; for an engine that is not ours, its set-up commands.
[[nodiscard]] std::string options_text(const Player& player);
/// "gtp"; with the dialect in which the player writes moves if it is not plain.
[[nodiscard]] std::string language_text(const Player& player);
/// What the player is: "preset=reference k=0.3", "gnugo --mode gtp, speaks gtp; komi 0".
[[nodiscard]] std::string player_text(const Player& player);

}  // namespace pitboss::clients
