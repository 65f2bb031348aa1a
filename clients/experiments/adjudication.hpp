#pragma once

#include <string>

namespace pitboss::clients {

/// When the referee ends a game before the rules do, by the values that the players report. For
/// games of two colours. All off by default.
struct Adjudication {
  /// A game is won after that many moves of each side in a row at which the winner reported at
  /// least 1 - resign_value or the loser at most resign_value. 0: never.
  int resign_moves = 0;
  double resign_value = 0.05;  ///< in [0, 0.5)
  /// A game is drawn after that many moves of each side in a row with values within draw_margin of
  /// 1/2. 0: never.
  int draw_moves = 0;
  double draw_margin = 0.02;  ///< in [0, 0.5)
  int draw_from_ply = 0;      ///< values before this ply do not count

  [[nodiscard]] constexpr bool is_on() const { return resign_moves > 0 || draw_moves > 0; }
  friend bool operator==(const Adjudication&, const Adjudication&) = default;
};

/// The rule in words, for the user; empty if both parts are off.
[[nodiscard]] std::string adjudication_text(const Adjudication& rule);

}  // namespace pitboss::clients
