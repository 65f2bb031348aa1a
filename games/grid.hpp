#pragma once

#include <array>
#include <string>

#include "games/bitboard.hpp"

namespace pitboss::games {

/// A column's letter as GTP writes it: a, b, ... without i; 0 <= x < 25.
[[nodiscard]] std::string column_text(int x);
/// Column letter, then the row counted from 1 at the bottom: (0, 0) is "a1".
[[nodiscard]] std::string point_text(int x, int y);

/// The geometry of a board: which points there are, and where a step from each of them leads.
/// Point (x, y) is bit `y * stride + x`. Shifting a bitboard steps from all its points at once;
/// the mask of points that such a step may reach removes those that left the board or came round
/// its edge, so a board needs no spare columns. Directions are data: other shapes are other tables.
template <int Bits>
struct Grid {
  using Board = Bitboard<Bits>;

  struct Direction {
    int offset = 0;
    Board reached;  ///< the points that can be entered by a step this way
  };

  int width = 0;
  int height = 0;
  int stride = 0;
  Board points;
  /// Opposite directions stand side by side: i and i ^ 1. The first `adjacent` lead to neighbours.
  std::array<Direction, 8> directions;
  int direction_count = 0;
  int adjacent = 0;

  [[nodiscard]] static Board step(const Board& from, const Direction& direction) {
    return from.shifted(direction.offset) & direction.reached;
  }
  /// All points next to one of `from`; those of `from` only if they are next to another.
  [[nodiscard]] Board neighbours(const Board& from) const {
    Board next;
    for (int i = 0; i < adjacent; ++i) next |= step(from, directions[i]);
    return next;
  }
  /// The points of `within` that are joined to `seed` inside `within`.
  [[nodiscard]] Board flood(const Board& seed, const Board& within) const {
    Board grown = seed & within;
    for (Board before; grown != before;) {
      before = grown;
      grown |= neighbours(grown) & within;
    }
    return grown;
  }
};

/// A rectangle with four neighbours to a point: directions east, west, north, south, then
/// north-east, south-west, north-west, south-east. Built once per size and kept for ever; may be
/// called from any thread. `width * height` must not exceed `Bits`.
template <int Bits>
[[nodiscard]] const Grid<Bits>& rectangular_grid(int width, int height);

}  // namespace pitboss::games
