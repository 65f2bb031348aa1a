#pragma once

#include "games/board_shape.hpp"
#include "games/grid.hpp"

/// The hexagon of side 5 on which Pentalath and Yavalath are played: the points of
/// `hexagonal_grid(5)`, with offsets known at compile time. A shifted row crosses a place that is
/// no point before it comes round the edge of the square, so that lines of stones can be shifted
/// without a mask.
namespace pitboss::games::hexagon {

using Board = Bitboard<128>;

inline constexpr int side = 5;
inline constexpr int stride = 2 * side - 1;
/// East, north, north-east.
inline constexpr std::array<int, 3> axes{1, stride, stride + 1};

inline constexpr Board points = [] {
  Board all;
  for (int y = 0; y < stride; ++y) {
    for (int x = 0; x < stride; ++x) {
      if (x - y < side && y - x < side) all.add(stride * y + x);
    }
  }
  return all;
}();
inline constexpr int point_count = points.count();

/// All points next to a point of `from`. `from` must have points of the hexagon only.
[[nodiscard]] constexpr Board neighbours(const Board& from) {
  const Board right = from.shifted(1);
  const Board left = from.shifted(-1);
  return points & (right | left | (from | right).shifted(stride) | (from | left).shifted(-stride));
}
/// The neighbours of each point.
inline constexpr auto near = [] {
  std::array<Board, stride * stride> all;
  points.for_each([&](int p) { all[p] = neighbours(Board::point(p)); });
  return all;
}();
/// The points with six neighbours.
inline constexpr Board interior = [] {
  Board all;
  points.for_each([&](int p) {
    if (near[p].count() == 6) all.add(p);
  });
  return all;
}();
/// The points at which lines of `length` stones on any axis end.
[[nodiscard]] constexpr Board line_ends(const Board& stones, int length) {
  Board ends;
  for (const int step : axes) {
    Board line = stones;
    for (int i = 1; i < length; ++i) line = line.shifted(step) & stones;
    ends |= line;
  }
  return ends;
}
/// The points of `within` that are joined to `seed` inside `within`.
[[nodiscard]] constexpr Board flood(const Board& seed, const Board& within) {
  Board grown = seed & within;
  for (Board before; grown != before;) {
    before = grown;
    grown |= neighbours(grown) & within;
  }
  return grown;
}

/// The hexagon as a geometry for code that works on any kind of board (see liberties.hpp).
struct Geometry {
  [[nodiscard]] static constexpr Board neighbours(const Board& from) {
    return hexagon::neighbours(from);
  }
  [[nodiscard]] static constexpr Board flood(const Board& seed, const Board& within) {
    return hexagon::flood(seed, within);
  }
};

[[nodiscard]] constexpr BoardShape shape() { return {stride, stride, stride, Lattice::hexagonal}; }
[[nodiscard]] inline std::string text(int p) { return point_text(p % stride, p / stride); }

}  // namespace pitboss::games::hexagon
