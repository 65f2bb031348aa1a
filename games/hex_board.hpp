#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/grid.hpp"

namespace pitboss::games {

/// What Hex needs to know of a point.
struct HexPoint {
  std::uint64_t low = 0;   ///< its neighbours in word `word` of a board
  std::uint64_t high = 0;  ///< and in the next one
  std::uint8_t word = 0;
  std::uint8_t first = 0;   ///< bit c: it lies on the edge from which colour c joins ...
  std::uint8_t second = 0;  ///< ... and on the opposite one
};

/// What Hex needs to know of a board's size. One per size, kept for ever.
struct HexBoard {
  const Grid<384>* grid;
  int points;  ///< how many
  int words;   ///< of a board that have points
  std::vector<HexPoint> point;
  std::array<Bitboard<384>, 2> first;   ///< bottom row and left column, from which black and white
  std::array<Bitboard<384>, 2> second;  ///< join to the top row and the right column
};

inline constexpr int smallest_hex_board = 3;
inline constexpr int largest_hex_board = 19;

/// The board of that size.
[[nodiscard]] const HexBoard& hex_board(int size);

}  // namespace pitboss::games
