#include "clients/experiments/statistics/crosstable.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

TEST_CASE("Crosstable counts for both players") {
  Crosstable table(3);
  table.add(0, 1, {3, 2, 1, 12});
  table.add(1, 0, {1, 1, 0, 4});  // a draw that brought a third
  table.add(2, 0, {1, 0, 0, 0});
  CHECK(table(0, 1) == Tally{3, 3, 2, 20});
  CHECK(table(1, 0) == Tally{2, 3, 3, 16});
  CHECK(table(1, 2) == Tally{});
  CHECK(table.total(0) == Tally{3, 3, 3, 20});
  CHECK(table(0, 1).points() + table(1, 0).points() == 8.0);
}

}  // namespace pitboss::clients
