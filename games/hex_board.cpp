#include "games/hex_board.hpp"

namespace pitboss::games {

namespace {

HexPoint describe(const HexBoard& board, int p) {
  HexPoint point;
  const auto neighbours = board.grid->neighbours(Bitboard<384>::point(p));
  // The neighbours are at most 20 points away and so in two words.
  point.word = static_cast<std::uint8_t>(neighbours.first() / 64);
  point.low = neighbours.word(point.word);
  if (point.word + 1 < Bitboard<384>::words) point.high = neighbours.word(point.word + 1);
  for (int c = 0; c < 2; ++c) {
    point.first |= static_cast<std::uint8_t>(board.first[c].has(p) << c);
    point.second |= static_cast<std::uint8_t>(board.second[c].has(p) << c);
  }
  return point;
}

HexRing ring_round(int x, int y, int size) {
  struct Step {
    int x;
    int y;
  };
  constexpr std::array<Step, 6> round{{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};
  const auto is_beyond = [size](int place) { return place < 0 || place >= size; };
  HexRing ring;
  for (unsigned i = 0; i < 6; ++i) {
    const int there_x = x + round[i].x;
    const int there_y = y + round[i].y;
    if (is_beyond(there_y)) ring.beyond[0] |= static_cast<std::uint8_t>(1U << i);
    if (is_beyond(there_x)) ring.beyond[1] |= static_cast<std::uint8_t>(1U << i);
    const bool is_on_board = !is_beyond(there_x) && !is_beyond(there_y);
    ring.point[i] =
        static_cast<std::uint16_t>(is_on_board ? size * there_y + there_x : size * y + x);
  }
  return ring;
}

HexBoard build_hex_board(int size) {
  const Grid<384>& grid = rhombic_grid<384>(size);
  HexBoard board{&grid, size * size, (size * size + 63) / 64, {}, {}, {}, {}};
  for (int i = 0; i < size; ++i) {
    board.first[0].add(i);
    board.second[0].add((size - 1) * size + i);
    board.first[1].add(i * size);
    board.second[1].add(i * size + size - 1);
  }
  for (int p = 0; p < board.points; ++p) {
    board.point.push_back(describe(board, p));
    board.ring.push_back(ring_round(p % size, p / size, size));
  }
  return board;
}

}  // namespace

const HexBoard& hex_board(int size) {
  static const auto boards = [] {
    std::array<HexBoard, largest_hex_board + 1> all{};
    for (int n = smallest_hex_board; n <= largest_hex_board; ++n) all[n] = build_hex_board(n);
    return all;
  }();
  return boards[size];
}

}  // namespace pitboss::games
