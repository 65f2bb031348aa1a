#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/referee/ledger_contents.hpp"
#include "clients/results/document/document.hpp"
#include "clients/results/tournament.hpp"

/// The pictures of documents about matches, each with its numbers. They show the games that count,
/// in order of their numbers; without games they are empty.
namespace pitboss::clients {

/// The games that count, by match.
using CountedGames = std::vector<std::vector<PlayedGame>>;
[[nodiscard]] CountedGames counted_games(const LedgerContents& contents);

/// How a match stood after all rounds, or after at most `most` equally spaced ones, the last
/// included: score, Elo and, with a stopping rule, the log-likelihood ratio over the games. `match`
/// is its place in the experiment. For programs.
[[nodiscard]] DataTable course_of(const MatchResults& results, int match,
                                  std::span<const PlayedGame> games, std::size_t most);
/// Its score and, if asked for, Elo with their intervals, and its test.
[[nodiscard]] std::vector<Block> course_figures(const MatchResults& match, const DataTable& course,
                                                bool has_elo);

/// Of a tournament: ratings; how many games had how many plies; shares won, drawn and lost by seat;
/// the time that the players took for each of their games.
[[nodiscard]] Figure ratings_figure(const Tournament& tournament);
[[nodiscard]] Figure lengths_figure(const Results& results, const Tournament& tournament);
[[nodiscard]] Figure seats_figure(const Results& results, const Tournament& tournament);
[[nodiscard]] Figure times_figure(const Results& results, const Tournament& tournament,
                                  const CountedGames& games);

}  // namespace pitboss::clients
