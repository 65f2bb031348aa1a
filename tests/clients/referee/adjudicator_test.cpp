#include "clients/referee/adjudicator.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

using Verdict = Adjudicator::Verdict;

TEST_CASE("a win is adjudicated when both players agree for long enough") {
  Adjudicator judge({.resign_moves = 2, .resign_value = 0.1});
  CHECK(judge.hear(0, 0.95, 1) == Verdict::none);
  CHECK(judge.hear(1, 0.05, 2) == Verdict::none);
  CHECK(judge.hear(0, 0.90, 3) == Verdict::none);
  CHECK(judge.hear(1, 0.10, 4) == Verdict::first_wins);

  // One who disagrees breaks the row.
  Adjudicator other({.resign_moves = 2, .resign_value = 0.1});
  for (const double value : {0.05, 0.95, 0.2, 0.95}) {
    static int ply = 0;
    ++ply;
    CHECK(other.hear(ply % 2 == 1 ? 0 : 1, value, ply) == Verdict::none);
  }
  CHECK(other.hear(0, 0.05, 5) == Verdict::none);
  CHECK(other.hear(1, 0.95, 6) == Verdict::none);
  CHECK(other.hear(0, 0.0, 7) == Verdict::second_wins);
}

TEST_CASE("a draw is adjudicated when values are even, late enough") {
  const Adjudication rules{.draw_moves = 1, .draw_margin = 0.03, .draw_from_ply = 4};
  Adjudicator judge(rules);
  for (const int ply : {1, 2, 3}) CHECK(judge.hear(ply % 2, 0.5, ply) == Verdict::none);
  CHECK(judge.hear(0, 0.52, 4) == Verdict::none);
  CHECK(judge.hear(1, 0.48, 5) == Verdict::draw);
  Adjudicator other(rules);
  CHECK(other.hear(0, 0.5, 4) == Verdict::none);
  CHECK(other.hear(1, 0.6, 5) == Verdict::none);
  CHECK(other.hear(0, 0.5, 6) == Verdict::none);
}

TEST_CASE("nothing is adjudicated without rules or without values") {
  Adjudicator off({});
  for (int ply = 1; ply < 50; ++ply) {
    CHECK(off.hear(ply % 2, ply % 2 == 0 ? 0.0 : 1.0, ply) == Verdict::none);
  }
  Adjudicator silent({.resign_moves = 1, .draw_moves = 1, .draw_margin = 0.4});
  CHECK(silent.hear(0, 0.0, 1) == Verdict::none);
  CHECK(silent.hear(1, std::nullopt, 2) == Verdict::none);
  CHECK(silent.hear(0, 0.0, 3) == Verdict::none);
}

}  // namespace pitboss::clients
