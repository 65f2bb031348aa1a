#pragma once

#include <cstdint>

/// Lines of discs between two of one colour, on an 8x8 board with point (x, y) at bit 8y + x. All
/// eight directions are followed at once by parallel prefix ("Kogge-Stone") shifts: two single
/// steps, then two double ones, cover the six discs that can lie between two others.
namespace pitboss::games::outflank {

template <int Offset>
[[nodiscard]] constexpr std::uint64_t shifted(std::uint64_t b) {
  if constexpr (Offset > 0) {
    return b << Offset;
  } else {
    return b >> -Offset;
  }
}

/// The unbroken runs of `through` that begin next to a point of `from`.
template <int Offset>
[[nodiscard]] constexpr std::uint64_t runs(std::uint64_t from, std::uint64_t through) {
  std::uint64_t run = through & shifted<Offset>(from);
  run |= through & shifted<Offset>(run);
  const std::uint64_t pairs = through & shifted<Offset>(through);
  run |= pairs & shifted<2 * Offset>(run);
  run |= pairs & shifted<2 * Offset>(run);
  return run;
}

/// Calls `visit.operator()<offset>(through)` for the eight directions. Enemy discs on the left and
/// right edge end a sideways line, which keeps it from coming round the edge.
template <class Visit>
constexpr void for_each_direction(std::uint64_t enemy, Visit&& visit) {
  const std::uint64_t inner = enemy & 0x7e7e7e7e7e7e7e7eU;
  visit.template operator()<8>(enemy);
  visit.template operator()<-8>(enemy);
  visit.template operator()<1>(inner);
  visit.template operator()<-1>(inner);
  visit.template operator()<9>(inner);
  visit.template operator()<-9>(inner);
  visit.template operator()<7>(inner);
  visit.template operator()<-7>(inner);
}

/// The points, occupied or not, from which a disc of `own` outflanks discs of `enemy`.
[[nodiscard]] constexpr std::uint64_t sources(std::uint64_t own, std::uint64_t enemy) {
  std::uint64_t found = 0;
  for_each_direction(enemy, [&]<int Offset>(std::uint64_t through) {
    found |= shifted<Offset>(runs<Offset>(own, through));
  });
  return found;
}

/// The discs of `enemy` between the disc `placed` and the first of `own` in each direction.
[[nodiscard]] constexpr std::uint64_t flipped(std::uint64_t placed, std::uint64_t own,
                                              std::uint64_t enemy) {
  std::uint64_t found = 0;
  for_each_direction(enemy, [&]<int Offset>(std::uint64_t through) {
    const std::uint64_t run = runs<Offset>(placed, through);
    found |= (shifted<Offset>(run) & own) != 0 ? run : 0;
  });
  return found;
}

}  // namespace pitboss::games::outflank
