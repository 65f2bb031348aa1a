#pragma once

#include <optional>

#include "clients/experiments/match.hpp"

namespace pitboss::clients {

/// Watches the values that the players of one game report, move by move.
class Adjudicator {
 public:
  explicit Adjudicator(const Adjudication& rules) : rules_(rules) {}

  enum class Verdict { none, first_wins, second_wins, draw };

  /// The player to move, 0 or 1, has reported `value` for itself at this ply (from 1). A move
  /// without a value ends all rows.
  Verdict hear(int player, std::optional<double> value, int ply) {
    if (!value) {
      lost_[0] = lost_[1] = even_ = 0;
      return Verdict::none;
    }
    for (const int loser : {0, 1}) {
      const double of_loser = player == loser ? *value : 1.0 - *value;
      lost_[loser] = of_loser <= rules_.resign_value ? lost_[loser] + 1 : 0;
    }
    const double off = *value < 0.5 ? 0.5 - *value : *value - 0.5;
    even_ = off <= rules_.draw_margin && ply >= rules_.draw_from_ply ? even_ + 1 : 0;

    // A row counts the moves of both sides.
    const auto is_enough = [](int row, int moves) { return moves > 0 && row >= 2 * moves; };
    if (is_enough(lost_[0], rules_.resign_moves)) return Verdict::second_wins;
    if (is_enough(lost_[1], rules_.resign_moves)) return Verdict::first_wins;
    return is_enough(even_, rules_.draw_moves) ? Verdict::draw : Verdict::none;
  }

 private:
  Adjudication rules_;
  int lost_[2] = {0, 0};  // consecutive moves whose values make this player the loser
  int even_ = 0;
};

}  // namespace pitboss::clients
