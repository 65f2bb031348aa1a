#pragma once

#include "clients/seating.hpp"

/// What may be concluded from a score. A win counts 1, a draw what there is of the point: 1/2 in a
/// game for two.
namespace pitboss::clients {

/// Wins, draws and losses of one player, or of its seat in one colour.
struct Tally {
  int wins = 0;
  int draws = 0;
  int losses = 0;
  int twelfths_of_draws = 0;  ///< what the draws have earned

  /// Counts a game that has earned so much.
  constexpr void add(int twelfths) {
    ++(twelfths == whole_point ? wins : twelfths == 0 ? losses : draws);
    if (twelfths < whole_point) twelfths_of_draws += twelfths;
  }
  [[nodiscard]] constexpr int games() const { return wins + draws + losses; }
  [[nodiscard]] constexpr double points() const {
    return wins + static_cast<double>(twelfths_of_draws) / whole_point;
  }
  /// Points per game; 1/2 without games.
  [[nodiscard]] constexpr double score() const { return games() ? points() / games() : 0.5; }
  friend bool operator==(const Tally&, const Tally&) = default;
};

struct Interval {
  double low;
  double high;
};

/// The normal distribution's quantile for 95 %, rounded as in the NoveltyMCTS authors' Util.java,
/// so that our intervals are those they publish.
inline constexpr double normal_95 = 1.96;

/// The 95 % interval of a score: Wilson's with continuity correction (Newcombe 1998), and the rule
/// of three where every point or none was won, as in the NoveltyMCTS authors' experiments. With
/// draws it is wider than need be. [0, 1] without games.
[[nodiscard]] Interval score_interval(double points, int games);

}  // namespace pitboss::clients
