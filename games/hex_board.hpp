#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "games/grid.hpp"

namespace pitboss::games {

/// The table entry of a point of Hex.
struct HexPoint {
  std::uint64_t low = 0;   ///< the point's neighbours in word `word` of a board
  std::uint64_t high = 0;  ///< its neighbours in the next word
  std::uint8_t word = 0;
  std::uint8_t first = 0;   ///< bit c: the point lies on the first edge of colour c (HexBoard)
  std::uint8_t second = 0;  ///< bit c: the point lies on the second edge of colour c
};

/// The six places round a point of Hex, in the order in which each is next to the one before.
struct HexRing {
  std::array<std::uint16_t, 6> point;  ///< beyond an edge the point itself
  /// By colour: bit i: place i lies beyond an edge of this colour.
  std::array<std::uint8_t, 2> beyond{};
};

/// The tables of a board of Hex. One for each size, kept for ever.
struct HexBoard {
  const Grid<384>* grid;
  int points;  ///< how many
  int words;   ///< how many words of a bitboard have points
  std::vector<HexPoint> point;
  std::array<Bitboard<384>, 2> first;   ///< by colour: the bottom row, the left column
  std::array<Bitboard<384>, 2> second;  ///< by colour: the top row, the right column
  std::vector<HexRing> ring;            ///< of each point
};

inline constexpr int smallest_hex_board = 3;
inline constexpr int largest_hex_board = 19;

/// The board of that size, from smallest_hex_board to largest_hex_board.
[[nodiscard]] const HexBoard& hex_board(int size);

}  // namespace pitboss::games
