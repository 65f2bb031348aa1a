#pragma once

#include <string>
#include <vector>

#include "clients/experiments/statistics/crosstable.hpp"
#include "clients/experiments/statistics/ratings.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// The players of some matches and their scores against each other.
struct Tournament {
  std::string title;                 ///< the game, or "all games"
  std::vector<std::string> players;  ///< in order of appearance
  std::vector<int> matches;          ///< numbers in the experiment
  Crosstable table;

  /// Numbers of the players: those who can be compared together, the strongest first.
  [[nodiscard]] std::vector<int> ranking(const Ratings& ratings) const;
};

/// All matches together.
[[nodiscard]] Tournament whole_tournament(const Results& results);
/// One for each game, in order of appearance: the same game with other parameters is another one.
[[nodiscard]] std::vector<Tournament> tournaments_by_game(const Results& results);

/// "connect4", with those parameters that tell it from the other matches' games: "gomoku size=9".
[[nodiscard]] std::string game_name(const Results& results, int match);
/// "A - B", after the game if there are several.
[[nodiscard]] std::string match_name(const Results& results, int match);

/// Why a player has no rating, "won all"; "" for one that has.
[[nodiscard]] std::string_view why_unrated(RatingStatus status);

}  // namespace pitboss::clients
