#pragma once

#include <span>
#include <string>
#include <string_view>

#include "clients/referee/ledger_contents.hpp"
#include "clients/results/document/document.hpp"
#include "clients/results/tournament.hpp"

/// The tables of documents about matches. What only programs read of an experiment is hidden in
/// them. A table without rows is not shown.
namespace pitboss::clients {

/// The matches of a tournament with their scores, ratings and tests, seen by the first player.
[[nodiscard]] DataTable matches_table(const Results& results, const Tournament& tournament);
/// What the players have scored with their seats of all colours and of each.
[[nodiscard]] DataTable seats_table(const Results& results, const Tournament& tournament);
/// Ratings of all players, the strongest first.
[[nodiscard]] DataTable ratings_table(const Tournament& tournament);
/// Scores of all players against each other, the strongest first, or in this order of players.
[[nodiscard]] DataTable cross_table(const Tournament& tournament);
[[nodiscard]] DataTable cross_table(const Tournament& tournament, const std::vector<int>& order);
/// The same for programs: a row for each pair that has met.
[[nodiscard]] DataTable pairs_table(const Tournament& tournament);
/// Scores of each pair of players at each game; for experiments with several games.
[[nodiscard]] DataTable games_table(const Results& results, const std::vector<Tournament>& games);

/// Games that players lost by something other than play, by kind.
[[nodiscard]] DataTable failures_table(const Results& results);
/// What went wrong, and what was said before. `name_of` names what an incident's match is, which is
/// the `head`, and `key` for programs, which count it from `first`.
[[nodiscard]] DataTable incidents_table(std::span<const Incident> incidents, const std::string& key,
                                        int first, const std::function<Cell(int match)>& name_of);
/// Which games were played more than once.
[[nodiscard]] DataTable repeats_table(const Results& results);
/// The referees, what they do, and how many games each has played a minute of late.
[[nodiscard]] DataTable referees_table(const LedgerContents& contents);
/// What is played: the players and their exact options, what their engines have declared, games.
[[nodiscard]] DataTable players_table(const Results& results);
[[nodiscard]] DataTable engines_table(const Results& results);
[[nodiscard]] DataTable rules_table(const Results& results);

/// Without a sign of life for so many seconds, nobody plays.
inline constexpr std::int64_t longest_silence = 120;
/// Games a minute of the rounds for which `counts(round)`, in the last ten minutes in which these
/// were played; 0: not known. It is THE speed of an experiment, a machine, a referee, a tuning.
[[nodiscard]] double speed_of(const std::vector<PlayedRound>& rounds,
                              const std::function<bool(const PlayedRound&)>& counts);

/// A number of games a minute; a dash for 0, which is not known.
[[nodiscard]] Cell speed_cell(double games_a_minute);

/// The place of a match's games (counted from 0) on the page: all, or those that its first player
/// `how` ("won", "drawn", "lost").
[[nodiscard]] std::string games_place(int match, const std::string& how = "");

}  // namespace pitboss::clients
