#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/referee/results.hpp"
#include "clients/report/markup.hpp"

/// The charts of a report about matches, each with its numbers in a table. A chart without data is
/// empty. The charts use the games that count, in order of their numbers.
namespace pitboss::clients {

/// The score of a match after some of its rounds.
struct Standing {
  int games;
  double score;
  Interval interval;
  EloEstimate elo;
  double llr;  ///< 0 without a stopping rule
};

/// Standings after all rounds, or after at most `most` equally spaced ones; the last is included.
[[nodiscard]] std::vector<Standing> course_of(const MatchResults& match,
                                              std::span<const PlayedGame> games, std::size_t most);

/// Elo with its 95 % interval.
[[nodiscard]] Markup elo_chart(const MatchResults& match, std::span<const Standing> course);
[[nodiscard]] Markup score_chart(const MatchResults& match, std::span<const Standing> course);
[[nodiscard]] Markup llr_chart(const MatchResults& match, std::span<const Standing> course);
/// How many games had how many plies.
[[nodiscard]] Markup lengths_chart(const std::string& title, const std::map<int, int>& lengths);

/// The time that a player took for each of its games.
struct ThinkingTime {
  std::string player;
  std::vector<double> seconds;
  /// What its moves took beyond that on their way to the referee, in all games: only of an engine
  /// that times itself.
  double latency = 0;
};
[[nodiscard]] Markup time_chart(const std::string& title, std::vector<ThinkingTime> times);

/// What a player has scored with its seats of a colour.
struct ColourScore {
  std::string player;
  std::string colour;
  Tally tally;
};
[[nodiscard]] Markup colours_chart(const std::string& title,
                                   const std::vector<ColourScore>& scores);

}  // namespace pitboss::clients
