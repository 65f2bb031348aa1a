#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::games {

/// A move that is made point by point: the points chosen so far and, if the engine makes the move,
/// the points that it will choose next. Code that changes the position in another way must call
/// `clear`.
class MoveSteps {
 public:
  /// Points in the order in which they were chosen; empty between moves.
  [[nodiscard]] const std::vector<std::string>& chosen() const { return chosen_; }
  /// Whether the legal move begins with the points chosen.
  [[nodiscard]] bool agrees(const SteppedMove& move) const;
  /// The points that may be chosen next, sorted; none if the game is over.
  [[nodiscard]] std::vector<std::string> next(const AnyGame& game) const;

  /// The first of `moves`, which are legal, that begins with the points chosen; if none does, any
  /// legal move that does. The game must not be over.
  [[nodiscard]] std::string first_agreeing(const AnyGame& game,
                                           const std::vector<std::string>& moves) const;

  /// Chooses a point, its letter of either case. Returns the whole move, for the caller to play, if
  /// this was the move's last point; an empty text if more points follow. Returns nothing, and
  /// changes nothing, if no legal move goes on with this point.
  std::optional<std::string> choose(const AnyGame& game, std::string_view point);
  /// Takes the last `count` chosen points back; at least so many must have been chosen.
  void take_back(std::size_t count);
  /// Chooses the first `count` points of a legal move, which must have more points.
  void choose_first(const AnyGame& game, std::string_view move, std::size_t count);
  void clear();

  /// Sets the move that the engine has decided for: a legal move that begins with the points
  /// chosen.
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
