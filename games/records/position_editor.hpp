#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"
#include "games/notation.hpp"

namespace pitboss::games {

/// A position that is set up point by point. Only `apply` checks whether it is possible.
class PositionEditor {
 public:
  static constexpr char empty = '.';
  static constexpr char stone(Colour c) { return c == Colour::black ? 'X' : 'O'; }

  /// Begins with the position of `game`.
  explicit PositionEditor(const AnyGame& game);

  /// The points of the board, row by row from a1.
  [[nodiscard]] std::vector<Place> places() const;
  /// Whether `place` is a point of the board.
  [[nodiscard]] bool has(Place place) const;
  /// The point of the board that `text` names. Throws BadSyntax for a text that is no point,
  /// BadGame for a point that is not on the board.
  [[nodiscard]] Place place(std::string_view text) const;
  /// The letter of a point in the rows of a position.
  [[nodiscard]] char at(Place p) const { return rows_[rows_.size() - 1 - p.y][p.x]; }
  void put(Place p, char what) { rows_[rows_.size() - 1 - p.y][p.x] = what; }
  /// Takes every piece off the board.
  void clear();

  Colour to_move;
  std::string extra;  ///< a position's third part

  /// A game of `game`'s kind with this position. Throws BadGame for an impossible position.
  [[nodiscard]] std::unique_ptr<AnyGame> apply(const AnyGame& game) const;

 private:
  std::vector<std::string> rows_;  ///< from the top
};

/// The position as one of its game with another value of that parameter. Throws BadGame if there is
/// no such value, or if the position is impossible with it.
[[nodiscard]] std::unique_ptr<AnyGame> with_parameter(const AnyGame& position,
                                                      std::string_view parameter,
                                                      const std::string& value);

}  // namespace pitboss::games
