#include "games/hexagon.hpp"

#include <doctest/doctest.h>

#include "games/random.hpp"

namespace pitboss::games {
namespace {

// The hexagon without masks is the grid with them.
TEST_CASE("hexagon: the same board as hexagonal_grid()") {
  const Grid<128>& grid = hexagonal_grid<128>(hexagon::side);
  CHECK(hexagon::points == grid.points);
  CHECK(hexagon::point_count == 61);
  CHECK(hexagon::interior.count() == 37);
  CHECK(hexagon::shape().stride == grid.shape().stride);
  for (std::size_t i = 0; i < hexagon::axes.size(); ++i) {
    CHECK(hexagon::axes[i] == grid.directions[2 * i].offset);
  }
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    Bitboard<128> some;
    Bitboard<128> ends;
    grid.points.for_each([&](int p) {
      if (random.below(3) > 0) some.add(p);
    });
    CHECK(hexagon::neighbours(some) == grid.neighbours(some));
    const auto seed = Bitboard<128>::point(some.first());
    CHECK(hexagon::flood(seed, some) == grid.flood(seed, some));
    for (const int length : {2, 3, 4, 5}) {
      ends = {};
      for (int d = 0; d < 6; d += 2) ends |= Grid<128>::rows(some, grid.directions[d], length);
      CHECK(hexagon::line_ends(some, length) == ends);
    }
  }
  grid.points.for_each([&](int p) {
    CHECK(hexagon::near[p] == grid.neighbours(Bitboard<128>::point(p)));
    CHECK(hexagon::text(p) == grid.text(p));
  });
}

}  // namespace
}  // namespace pitboss::games
