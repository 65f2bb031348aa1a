#pragma once

#include <array>
#include <string>

#include "games/bitboard.hpp"
#include "games/board_shape.hpp"

namespace pitboss::games {

/// A column's letter as GTP writes it: a, b, ... without i; 0 <= x < 25.
[[nodiscard]] std::string column_text(int x);
/// Column letter, then the row counted from 1 at the bottom: (0, 0) is "a1".
[[nodiscard]] std::string point_text(int x, int y);

/// The geometry of a board: its points, and where a step from each of them leads. Point (x, y) is
/// bit `y * stride + x`. Shifting a bitboard steps from all its points at once; the mask of the
/// points that such a step can reach removes points that have left the board or come round its
/// edge, so that a board needs no spare columns. Directions are data: other shapes are other
/// tables.
template <int Bits>
struct Grid {
  using Board = Bitboard<Bits>;

  struct Direction {
    int offset = 0;
    Board reached;  ///< the points that a step in this direction can reach
  };

  int width = 0;
  int height = 0;
  int stride = 0;
  Lattice lattice = Lattice::square;
  Board points;
  /// Opposite directions are neighbours: i and i ^ 1. The first `adjacent` directions lead to
  /// neighbours.
  std::array<Direction, 8> directions;
  int direction_count = 0;
  int adjacent = 0;

  [[nodiscard]] BoardShape shape() const { return {width, height, stride, lattice}; }
  [[nodiscard]] std::string text(int point) const {
    return point_text(point % stride, point / stride);
  }

  [[nodiscard]] static Board step(const Board& from, const Direction& direction) {
    return from.shifted(direction.offset) & direction.reached;
  }
  /// All points next to a point of `from`. A point of `from` is included if it is next to another.
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

  /// Whether a step in `direction` from `p` leads to a point of `wanted`.
  [[nodiscard]] static bool leads_to(int p, const Direction& direction, const Board& wanted) {
    const int q = p + direction.offset;
    return 0 <= q && q < Board::bits && wanted.has(q) && direction.reached.has(q);
  }
  /// The length of the unbroken row of `stones` that begins next to `p`.
  [[nodiscard]] static int run(int p, const Direction& direction, const Board& stones) {
    int length = 0;
    for (; leads_to(p, direction, stones); p += direction.offset) ++length;
    return length;
  }
  /// The length of the line of `stones` through `p`, one of them, on the axis of `directions[axis]`
  /// (even) and its opposite.
  [[nodiscard]] int line(int p, int axis, const Board& stones) const {
    return 1 + run(p, directions[axis], stones) + run(p, directions[axis + 1], stones);
  }
  /// The points at which rows of `length` points of `stones` in `direction` end.
  [[nodiscard]] static Board rows(const Board& stones, const Direction& direction, int length) {
    Board ends = stones;
    for (int i = 1; i < length; ++i) ends = step(ends, direction) & stones;
    return ends;
  }
};

/// The boards. Each is built once and kept for ever; any thread may call these functions. The
/// rectangle round the board must have at most `Bits` points; grid.cpp instantiates the templates
/// for the games' values of `Bits`.

/// A rectangle with four neighbours to a point: directions east, west, north, south, then
/// north-east, south-west, north-west, south-east.
template <int Bits>
[[nodiscard]] const Grid<Bits>& rectangular_grid(int width, int height);

/// The Alquerque board of Fanorona: the same directions, all of them to neighbours, but diagonals
/// only between points with x + y even.
template <int Bits>
[[nodiscard]] const Grid<Bits>& alquerque_grid(int width, int height);

/// A hexagon with `side` points on each side: |x - y| < side in a square of 2 side - 1. Directions
/// east, west, north, south, north-east, south-west, all to neighbours (Lattice::hexagonal).
template <int Bits>
[[nodiscard]] const Grid<Bits>& hexagonal_grid(int side);

/// The star of Chinese Checkers, whose triangles have `arm` rows, in a square of 4 arm + 1;
/// directions as on the hexagon.
template <int Bits>
[[nodiscard]] const Grid<Bits>& star_grid(int arm);

/// The rhombus of Hex, `size` points on each side: directions east, west, north, south, south-east,
/// north-west, all to neighbours (Lattice::hexagonal_falling).
template <int Bits>
[[nodiscard]] const Grid<Bits>& rhombic_grid(int size);

}  // namespace pitboss::games
