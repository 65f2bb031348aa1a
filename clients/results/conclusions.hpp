#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/referee/ledger_contents.hpp"

/// Conclusions from the results, in sentences.
namespace pitboss::clients {

/// Why games have no result, with the likely reason: "No result: B lost 4 of 4 games by illegal
/// moves: ...?". Empty if they have one, or may still get one.
[[nodiscard]] std::string no_result_of(const Breakdowns& breakdowns);
/// The same of all matches that have none; of several with their names.
[[nodiscard]] std::vector<std::string> no_results_of(const Results& results);

/// The player (0 or 1) whose score's interval excludes 50 %; -1 if no difference was shown,
/// or if the match has no result.
[[nodiscard]] int stronger_in(const MatchResults& match);

/// The conclusion from a match in a few sentences.
[[nodiscard]] std::string conclusion_of(const MatchResults& match);

/// What was shown, the headline first: of more than two players their ranking, "Elo: uct +120.5,
/// novel +3.0, plain -123.5."; then who is stronger in which games, a sentence for each pair of
/// players that met: "novel is stronger than plain in hex and othello; no difference was shown in
/// connect4." Empty before the first game.
[[nodiscard]] std::vector<std::string> verdicts_of(const Results& results);

/// When the rounds were played, and for how long: "Played 2026-11-25 00:44 to 01:20 UTC, 36:12 of
/// play." Empty if the ledger has no times.
[[nodiscard]] std::string playing_times(std::span<const PlayedRound> rounds);

/// For how many seconds rounds were played, without the gaps between runs; 0 if the ledger has no
/// times.
[[nodiscard]] std::int64_t seconds_of_play(std::span<const PlayedRound> rounds);

}  // namespace pitboss::clients
