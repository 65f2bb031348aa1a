#pragma once

#include <cstdint>

namespace pitboss::games {

/// Which points are neighbours, for drawing a board. On all lattices (x+-1, y) and (x, y+-1) are.
enum class Lattice : std::uint8_t {
  square,
  hexagonal,         ///< and (x+1, y+1), (x-1, y-1)
  hexagonal_falling  ///< and (x+1, y-1), (x-1, y+1)
};

/// The board as a rectangle of points, for pictures and texts: point (x, y) is bit
/// `y * stride + x`, x counted from the left, y from the bottom.
struct BoardShape {
  int width;
  int height;
  int stride;
  Lattice lattice = Lattice::square;
  [[nodiscard]] constexpr int point(int x, int y) const { return y * stride + x; }
  /// The places of the rectangle, numbered from 0 row by row from the top, as one reads a picture.
  [[nodiscard]] constexpr int cells() const { return width * height; }
  [[nodiscard]] constexpr int cell(int point) const {
    return (height - 1 - point / stride) * width + point % stride;
  }
  /// The point that is shown at a cell.
  [[nodiscard]] constexpr int point_of(int cell) const {
    return point(cell % width, height - 1 - cell / width);
  }
  /// The side of the square round the board, for software that knows only square boards.
  [[nodiscard]] constexpr int side() const { return width > height ? width : height; }
};

}  // namespace pitboss::games
