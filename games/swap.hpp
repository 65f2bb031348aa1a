#pragma once

#include "games/game.hpp"
#include "games/policy.hpp"

namespace pitboss::games {

/// The swap rule (pie rule), for games in which the first stone is a large advantage: instead of
/// placing a stone, white's first move may be `swap`. Black's stone becomes white on the same
/// point, and black moves next.
class SwapRule {
 public:
  static constexpr Parameter parameter{"swap", "off", "off|on",
                                       "whether white's first move may be to take black's stone"};
  static constexpr std::string_view text = "swap";
  static constexpr Move move{0xffffU};

  explicit SwapRule(bool on) : on_(on) {}
  [[nodiscard]] static SwapRule from(const Parameters& parameters) {
    return SwapRule(parameters.choice(parameter.name, {"off", "on"}) == 1);
  }

  [[nodiscard]] bool is_on() const { return on_; }
  /// Whether swap is legal after `placements` placements: only at ply 2, after one placement, with
  /// white to move.
  [[nodiscard]] bool allows(int placements, Colour to_move) const {
    return on_ && placements == 1 && to_move == Colour::white;
  }
  /// Turns black's only stone into white's. White must have none.
  template <class Board>
  static void swap(std::array<Board, 2>& stones) {
    stones[1] = stones[0];
    stones[0] = Board();
  }

  /// The policy of a game of placements: cells, then swap if the rule is on.
  [[nodiscard]] int policy_size(const BoardShape& shape) const {
    return shape.cells() + (on_ ? 1 : 0);
  }
  [[nodiscard]] static PolicyParts policy_parts(const BoardShape& shape, Move placed) {
    if (placed == move) return PolicyParts(shape.cells());
    return PolicyParts(shape.cell(static_cast<int>(code(placed))));
  }

  friend bool operator==(SwapRule, SwapRule) = default;

 private:
  bool on_;
};

/// For games in which every ply but swap adds one stone, black's first. Throws BadGame if the
/// numbers of stones are impossible in such a game.
template <class Board>
void check_alternation(const Setup<Board>& setup, SwapRule rule) {
  const int white = setup.pieces[1].count();
  const int behind = white - setup.pieces[0].count() + index(setup.to_move);
  const bool swapped = rule.is_on() && behind == 1 && white > 0;
  if (behind == 0 || swapped) return;
  throw BadGame(std::string("black must have as many stones as white when black is to move, one "
                            "more when white is") +
                (rule.is_on() ? "; after swap one fewer" : ""));
}

}  // namespace pitboss::games
