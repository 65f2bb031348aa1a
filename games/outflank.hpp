#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "games/bitboard.hpp"

/// Lines of discs between two discs of one colour, on an 8x8 board with point (x, y) at bit 8y + x.
/// `Boards` is one board (a word) or two side by side (WordPair).
namespace pitboss::games::outflank {

template <int Offset, class Boards>
[[nodiscard]] constexpr Boards shifted(Boards b) {
  if constexpr (Offset > 0) {
    return b << Offset;
  } else {
    return b >> -Offset;
  }
}

/// The discs that are not in the first or last column: lines through them cannot come round the
/// edge.
template <class Boards>
[[nodiscard]] constexpr Boards inner(Boards discs) {
  return discs & std::uint64_t{0x7e7e7e7e7e7e7e7e};
}

/// The unbroken runs of `through` that begin next to a point of `from`, by parallel prefix
/// ("Kogge-Stone") shifts: two single steps, then two double ones, cover the six discs that can
/// lie between two others.
template <int Offset, class Boards>
[[nodiscard]] constexpr Boards runs(Boards from, Boards through) {
  Boards run = through & shifted<Offset>(from);
  run |= through & shifted<Offset>(run);
  const Boards pairs = through & shifted<Offset>(through);
  run |= pairs & shifted<2 * Offset>(run);
  run |= pairs & shifted<2 * Offset>(run);
  return run;
}

/// The points, occupied or not, from which a disc of `own` outflanks discs of `enemy`.
template <class Boards>
[[nodiscard]] constexpr Boards sources(Boards own, Boards enemy) {
  const Boards inside = inner(enemy);
  return shifted<8>(runs<8>(own, enemy)) | shifted<-8>(runs<-8>(own, enemy)) |
         shifted<1>(runs<1>(own, inside)) | shifted<-1>(runs<-1>(own, inside)) |
         shifted<9>(runs<9>(own, inside)) | shifted<-9>(runs<-9>(own, inside)) |
         shifted<7>(runs<7>(own, inside)) | shifted<-7>(runs<-7>(own, inside));
}

/// The points from (x, y) on, without it, in one direction.
[[nodiscard]] constexpr std::uint64_t ray(int x, int y, int dx, int dy) {
  std::uint64_t points = 0;
  for (x += dx, y += dy; 0 <= x && x < 8 && 0 <= y && y < 8; x += dx, y += dy) {
    points |= std::uint64_t{1} << (8 * y + x);
  }
  return points;
}

/// The rays from a point: three up the board, each beside the corresponding ray of the mirrored
/// point, and two sideways.
struct Rays {
  std::array<std::array<std::uint64_t, 2>, 3> up;
  std::uint64_t right;
  std::uint64_t left;
};
inline constexpr auto rays = [] {
  std::array<Rays, 64> all{};
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 8; ++x) {
      Rays& from = all[8 * y + x];
      for (const int dx : {-1, 0, 1}) from.up[dx + 1] = {ray(x, y, dx, 1), ray(x, 7 - y, dx, 1)};
      from.right = ray(x, y, 1, 0);
      from.left = ray(x, y, -1, 0);
    }
  }
  return all;
}();

/// All bits below the only bit of `bit`; none if `bit` is 0.
[[nodiscard]] constexpr std::uint64_t below(std::uint64_t bit) { return bit - 1 + (bit == 0); }
[[nodiscard]] inline WordPair below(WordPair bit) { return bit - 1 - WordPair(bit == 0); }

/// The unbroken row of discs of `enemy` at the beginning of `ray`, if a disc of `own` follows it;
/// else none. `ray` leads to higher bits: a 1 added from below is carried through the row to the
/// point behind it.
template <class Boards>
[[nodiscard]] constexpr Boards flipped_up(Boards ray, Boards own, Boards enemy) {
  return ray & below(((enemy | ~ray) + 1) & own & ray);
}
/// The same for a ray that leads to lower bits.
[[nodiscard]] constexpr std::uint64_t flipped_down(std::uint64_t ray, std::uint64_t own,
                                                   std::uint64_t enemy) {
  const int end = 63 - std::countl_zero((ray & ~enemy) | 1U);
  return ray & -(((own & ray) >> end & 1U) << end << 1);
}

/// Row y becomes row 7 - y.
[[nodiscard]] constexpr std::uint64_t mirrored(std::uint64_t board) {
  return __builtin_bswap64(board);
}

/// The discs of `enemy` between a disc placed on `point` and the first disc of `own` in each
/// direction. The board's mirror image serves for directions down the board.
[[nodiscard]] inline std::uint64_t flipped(int point, std::uint64_t own, std::uint64_t enemy) {
  const auto& [up, right, left] = rays[point];
  const WordPair owns{own, mirrored(own)};
  const WordPair enemies{enemy, mirrored(enemy)};
  WordPair found{};
  for (const auto& [here, mirror] : up) found |= flipped_up(WordPair{here, mirror}, owns, enemies);
  return found[0] | mirrored(found[1]) | flipped_up(right, own, enemy) |
         flipped_down(left, own, enemy);
}

}  // namespace pitboss::games::outflank
