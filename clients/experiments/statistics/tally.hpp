#pragma once

namespace pitboss::clients {

/// A game's one point in twelfths, which two, three or four colours can share exactly.
inline constexpr int whole_point = 12;

/// Wins, draws and losses of one player, or of its seat in one colour.
struct Tally {
  int wins = 0;
  int draws = 0;
  int losses = 0;
  int twelfths_of_draws = 0;  ///< what the draws have earned

  /// Counts a game that has earned `twelfths`.
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
  /// The opponent's tally, in games for two players.
  [[nodiscard]] constexpr Tally reversed() const {
    return {losses, draws, wins, whole_point * draws - twelfths_of_draws};
  }
  constexpr Tally& operator+=(const Tally& other) {
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
    twelfths_of_draws += other.twelfths_of_draws;
    return *this;
  }
  friend bool operator==(const Tally&, const Tally&) = default;
};

}  // namespace pitboss::clients
