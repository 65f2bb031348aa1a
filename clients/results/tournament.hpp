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

  /// The players' numbers: grouped by component, the strongest first.
  [[nodiscard]] std::vector<int> ranking(const Ratings& ratings) const;
};

/// All matches together.
[[nodiscard]] Tournament whole_tournament(const Results& results);
/// One tournament for each game, in order of appearance. Other parameters make another game.
[[nodiscard]] std::vector<Tournament> tournaments_by_game(const Results& results);

/// "connect4", with the parameters that distinguish it from other matches' games: "gomoku size=9".
[[nodiscard]] std::string game_name(const Results& results, int match);
/// "A - B", preceded by the game if the experiment has several games.
[[nodiscard]] std::string match_name(const Results& results, int match);

/// Why a player has no rating, "won all"; empty if it has one.
[[nodiscard]] std::string_view why_unrated(RatingStatus status);

}  // namespace pitboss::clients
