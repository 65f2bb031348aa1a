#include "games/outflank.hpp"

#include <doctest/doctest.h>

#include "games/random.hpp"

namespace pitboss::games {
namespace {

/// The discs that one placed on (x, y) flips in one direction, followed point by point.
std::uint64_t flips_towards(std::uint64_t own, std::uint64_t enemy, int x, int y, int dx, int dy) {
  std::uint64_t line = 0;
  for (x += dx, y += dy; 0 <= x && x < 8 && 0 <= y && y < 8; x += dx, y += dy) {
    const std::uint64_t here = std::uint64_t{1} << (8 * y + x);
    if ((own & here) != 0) return line;
    if ((enemy & here) == 0) return 0;
    line |= here;
  }
  return 0;
}

std::uint64_t flips(std::uint64_t own, std::uint64_t enemy, int x, int y) {
  std::uint64_t found = 0;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dy = -1; dy <= 1; ++dy) {
      if (dx != 0 || dy != 0) found |= flips_towards(own, enemy, x, y, dx, dy);
    }
  }
  return found;
}

void check_empty_points(std::uint64_t own, std::uint64_t enemy) {
  const std::uint64_t sources = outflank::sources(own, enemy);
  Bitboard<64>{~(own | enemy)}.for_each([&](int p) {
    const std::uint64_t flipped = flips(own, enemy, p % 8, p / 8);
    CHECK(outflank::flipped(p, own, enemy) == flipped);
    CHECK(((sources >> p) & 1U) == (flipped != 0 ? 1 : 0));
  });
}

// On boards as no game has them: any share of the points empty, discs along every edge.
TEST_CASE("outflank against the definition") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    CAPTURE(i);
    std::uint64_t own = random.next();
    std::uint64_t enemy = random.next() & ~own;
    for (int thinner = i % 4; thinner > 0; --thinner) own &= random.next();
    for (int denser = i / 4 % 4; denser > 0; --denser) enemy |= random.next() & ~own;
    check_empty_points(own, enemy);
    const WordPair both = outflank::sources(WordPair{own, enemy}, WordPair{enemy, own});
    CHECK(std::uint64_t{both[0]} == outflank::sources(own, enemy));
    CHECK(std::uint64_t{both[1]} == outflank::sources(enemy, own));
  }
}

}  // namespace
}  // namespace pitboss::games
