#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>

#include "engine/exact/exact_solver.hpp"

namespace pitboss::tests {

/// Solves a position whole, in bites, of which none looks at `most_bite` positions or more, and
/// with a table that is too small: all moves have the same scores.
inline void check_bites_and_tables(const games::AnyGame& position, std::int64_t most_bite,
                                   std::size_t small_table_bytes) {
  using engine::Patience;
  const auto whole = engine::make_exact_solver(position, std::size_t{1} << 24U);
  Patience endless(Patience::TimePoint::max());
  REQUIRE(whole->run(endless));
  const auto bitten = engine::make_exact_solver(position, std::size_t{1} << 24U);
  for (bool is_over = false; !is_over;) {
    Patience bite(Patience::TimePoint::max(), {}, 1024);
    is_over = bitten->run(bite);
    CHECK(bite.positions() < most_bite);
  }
  const auto small = engine::make_exact_solver(position, small_table_bytes);
  REQUIRE(small->run(endless));
  for (std::size_t i = 0; i < whole->moves().size(); ++i) {
    CHECK(whole->moves()[i].score == bitten->moves()[i].score);
    CHECK(whole->moves()[i].score == small->moves()[i].score);
  }
}

}  // namespace pitboss::tests
