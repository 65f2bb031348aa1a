#pragma once

#include <array>
#include <cassert>
#include <span>
#include <vector>

#include "games/grid.hpp"

/// Windows of five points in line, for games in which five in line win.
namespace pitboss::games {

/// The windows (five points, `step` bits apart) that begin on the points `starts`, whose bit i is
/// point `first` + i.
struct FiveWindows {
  unsigned first;
  unsigned step;
  std::uint64_t starts;
};

/// Every window of a board once. Of each pair of the grid's directions the first must lead upwards
/// or right.
template <int Bits>
[[nodiscard]] std::vector<FiveWindows> five_windows(const Grid<Bits>& grid) {
  std::vector<FiveWindows> windows;
  for (int i = 0; i < grid.direction_count; i += 2) {
    // Four steps back from every point: what remains are the points with four points ahead.
    Bitboard<Bits> starts = grid.points;
    for (int k = 0; k < 4; ++k) starts = Grid<Bits>::step(starts, grid.directions[i + 1]);
    for (int w = 0; w < Bitboard<Bits>::words; ++w) {
      if (starts.word(w) == 0) continue;
      assert(grid.directions[i].offset > 0);
      const auto step = static_cast<unsigned>(grid.directions[i].offset);
      windows.push_back({64 * static_cast<unsigned>(w), step, starts.word(w)});
    }
  }
  return windows;
}

/// By colour: how many windows hold 1, 2, 3, 4 stones of that colour and none of the other.
using OpenWindows = std::array<std::array<int, 4>, 2>;

/// The stones of black and white side by side, readable from any bit on.
template <int Bits>
class StonePairs {
 public:
  explicit StonePairs(const std::array<Bitboard<Bits>, 2>& stones) {
    for (int w = 0; w < Bitboard<Bits>::words; ++w) {
      words_[w] = WordPair{stones[0].word(w), stones[1].word(w)};
    }
  }
  /// The 64 points from `first` on.
  [[nodiscard]] WordPair from(unsigned first) const {
    const unsigned shift = first % 64;
    return words_[first / 64] >> shift | words_[first / 64 + 1] << (63 - shift) << 1;
  }

 private:
  std::array<WordPair, Bitboard<Bits>::words + 2> words_{};
};

/// Counts 64 windows at once: adds the stones on their first to fifth points as one-bit numbers.
template <int Bits>
[[nodiscard]] OpenWindows open_windows(std::span<const FiveWindows> all,
                                       const std::array<Bitboard<Bits>, 2>& stones) {
  const StonePairs<Bits> pairs(stones);
  OpenWindows windows{};
  for (const auto& [first, step, starts] : all) {
    const WordPair a = pairs.from(first);
    const WordPair b = pairs.from(first + step);
    const WordPair c = pairs.from(first + 2 * step);
    const WordPair d = pairs.from(first + 3 * step);
    const WordPair e = pairs.from(first + 4 * step);
    const WordPair open = starts & ~swapped(a | b | c | d | e);
    const WordPair abc = a ^ b ^ c;
    const WordPair carry = (a & b) | (c & (a ^ b));
    const WordPair carry2 = (abc & d) | (e & (abc ^ d));
    const WordPair ones = open & (abc ^ d ^ e);
    const WordPair twos = open & (carry ^ carry2);
    const WordPair fours = open & carry & carry2;
    const std::array<WordPair, 4> holding{ones & ~(twos | fours), twos & ~ones, ones & twos,
                                          fours & ~ones};
    for (int colour = 0; colour < 2; ++colour) {
      for (int i = 0; i < 4; ++i) {
        windows[colour][i] += std::popcount(std::uint64_t{holding[i][colour]});
      }
    }
  }
  return windows;
}

}  // namespace pitboss::games
