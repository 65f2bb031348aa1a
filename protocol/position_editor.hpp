#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::protocol {

/// A position put together point by point. Only `apply` asks the game whether it is one.
class PositionEditor {
 public:
  static constexpr char empty = '.';
  static constexpr char stone(games::Colour c) { return c == games::Colour::black ? 'X' : 'O'; }

  /// Begins with the position of `game`.
  explicit PositionEditor(const games::AnyGame& game);

  /// Whether there is a point in column x from the left, row y from the bottom.
  [[nodiscard]] bool has(int x, int y) const;
  /// What lies on a point, as the rows of a position write it.
  [[nodiscard]] char at(int x, int y) const { return rows_[rows_.size() - 1 - y][x]; }
  void put(int x, int y, char what) { rows_[rows_.size() - 1 - y][x] = what; }
  /// Takes every piece off the board.
  void clear();

  games::Colour to_move;
  std::string extra;  ///< a position's third part

  /// The game of `game`'s kind with this position. Throws BadGame if that cannot be.
  [[nodiscard]] std::unique_ptr<games::AnyGame> apply(const games::AnyGame& game) const;

 private:
  std::vector<std::string> rows_;  ///< from the top
};

/// Column and row of "d4", in either case. Throws BadSyntax for what is written otherwise.
[[nodiscard]] std::pair<int, int> parse_point(std::string_view text);

}  // namespace pitboss::protocol
