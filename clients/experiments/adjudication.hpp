#pragma once

#include <string>

namespace pitboss::clients {

/// When the referee ends a game before the rules do, by the values that the players report. For
/// games of two colours. All off by default.
struct Adjudication {
  /// A win, when for so many moves of each side in a row the side to move reported at least
  /// 1 - resign_value if it is the winner and at most resign_value if it is the loser. 0: never.
  int resign_moves = 0;
  double resign_value = 0.05;  ///< in [0, 0.5)
  /// A draw, when for so many moves of each side in a row each value was within draw_margin of 1/2.
  /// 0: never.
  int draw_moves = 0;
  double draw_margin = 0.02;  ///< in [0, 0.5)
  int draw_from_ply = 0;      ///< and not before

  [[nodiscard]] constexpr bool is_on() const { return resign_moves > 0 || draw_moves > 0; }
  friend bool operator==(const Adjudication&, const Adjudication&) = default;
};

/// The rule in words, for the user; empty if nothing is on.
[[nodiscard]] std::string adjudication_text(const Adjudication& rule);

}  // namespace pitboss::clients
