#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::games {

/// The move that is being made point by point: what has been chosen of it so far, and what the
/// engine, if the move is its own, will choose next. Whoever changes the position otherwise calls
/// `clear`.
class MoveSteps {
 public:
  /// Points in the order in which they were chosen; empty between moves.
  [[nodiscard]] const std::vector<std::string>& chosen() const { return chosen_; }
  /// Whether the legal move begins with what has been chosen.
  [[nodiscard]] bool agrees(const SteppedMove& move) const;
  /// The points that may be chosen next, sorted; none if the game is over.
  [[nodiscard]] std::vector<std::string> next(const AnyGame& game) const;

  /// The first of some legal moves that agrees with what has been chosen; any legal one that does
  /// if none of them. The game must not be over.
  [[nodiscard]] std::string first_agreeing(const AnyGame& game,
                                           const std::vector<std::string>& moves) const;

  /// Chooses a point, of either case. Returns the whole move if that was its last one, to be
  /// played; an empty text if more are to come; nothing, and changes nothing, if no legal move goes
  /// on like this.
  std::optional<std::string> choose(const AnyGame& game, std::string_view point);
  /// Takes the last `count` chosen points back, of which there must be so many.
  void take_back(std::size_t count);
  /// Chooses the first `count` points of a legal move, which must have more.
  void choose_first(const AnyGame& game, std::string_view move, std::size_t count);
  void clear();

  /// The engine has decided for a legal move, which must agree with what has been chosen.
  void plan(const AnyGame& game, std::string_view move);
  /// The next point of the planned move; nothing if there is no plan.
  [[nodiscard]] std::optional<std::string> planned() const;

 private:
  std::vector<std::string> chosen_;
  std::vector<std::string> plan_;  ///< all points of a move; begins with `chosen_`
};

/// The points of a legal move.
[[nodiscard]] std::vector<std::string> steps_of(const AnyGame& game, std::string_view move);

}  // namespace pitboss::games
