#include "engine/action_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>

#include "games/random.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using games::Colour;
using games::Move;

TEST_CASE("ActionTable: means by move and colour") {
  ActionTable table;
  std::map<std::pair<std::uint32_t, int>, std::pair<double, std::uint32_t>> expected;
  games::Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto move = static_cast<std::uint32_t>(random.below(500)) * 123457U;
    const int mover = random.below(4);
    const double value = random.below(3) / 2.0;
    table.add(Move{move}, static_cast<Colour>(mover), value);
    auto& [sum, count] = expected[{move, mover}];
    sum += value;
    ++count;
  }
  for (const auto& [key, entry] : expected) {
    const auto mean = table.of(Move{key.first}, static_cast<Colour>(key.second));
    CHECK(mean.count == entry.second);
    CHECK(mean.value == doctest::Approx(entry.first / entry.second).epsilon(1e-4));
  }
  CHECK(table.of(Move{1}, Colour::black).count == 0);
  table.clear();
  for (const auto& [key, entry] : expected) {
    CHECK(table.of(Move{key.first}, static_cast<Colour>(key.second)).count == 0);
  }
}

TEST_CASE("ActionTable: full, it keeps what it has and counts nothing new") {
  ActionTable table;
  for (std::uint32_t m = 0; m < 200000; ++m) table.add(Move{m}, Colour::white, 1);
  int known = 0;
  for (std::uint32_t m = 0; m < 200000; ++m) {
    const auto mean = table.of(Move{m}, Colour::white);
    CHECK(mean.count <= 1);
    CHECK(mean.value == (mean.count == 1 ? 1.0F : 0.0F));
    known += static_cast<int>(mean.count);
  }
  CHECK(known > 60000);
  CHECK(known <= 65536);
}
