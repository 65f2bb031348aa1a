#include "clients/experiments/statistics/intervals.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "clients/experiments/statistics/tally.hpp"

namespace pitboss::clients {

namespace {

struct IntervalRow {
  double points;
  int games;
  double low;
  double high;
};

void check_is(const Interval& interval, const IntervalRow& row) {
  CAPTURE(row.points);
  CAPTURE(row.games);
  CHECK(std::abs(interval.low - row.low) < 1e-6);
  CHECK(std::abs(interval.high - row.high) < 1e-6);
}

}  // namespace

TEST_CASE("score_interval") {
  // 1120, 1506 and 1532.5 of 2000 are the intervals printed in Novelty in MCTS.
  constexpr IntervalRow rows[] = {
      {1058, 2000, 0.506839, 0.551049},
      {1120, 2000, 0.537900, 0.581868},
      {1506, 2000, 0.733370, 0.771647},
      {13.5, 20, 0.432851, 0.854525},
      // Rule of three.
      {0, 20, 0, 0.149787},
      {20, 20, 0.850213, 1},
      // Too few games to say anything.
      {0, 1, 0, 1},
      {1, 1, 0, 1},
      {0, 0, 0, 1},
  };
  for (const IntervalRow& row : rows) check_is(score_interval(row.points, row.games), row);
}

TEST_CASE("wilson_interval") {
  constexpr IntervalRow rows[] = {
      {1058, 2000, 0.507089, 0.550800},
      {1120, 2000, 0.538151, 0.581619},
      {1506, 2000, 0.733626, 0.771404},
      {13.5, 20, 0.456693, 0.836913},
      {0, 20, 0, 0.161125},
      {20, 20, 0.838875, 1},
      {0, 0, 0, 1},
  };
  for (const IntervalRow& row : rows) {
    const Interval interval = wilson_interval(row.points, row.games);
    check_is(interval, row);
    CHECK(interval.low >= 0.0);
    CHECK(interval.high <= 1.0);
  }
}

TEST_CASE("score_interval is an interval around the score, alike for both players") {
  for (int games = 1; games <= 40; ++games) {
    for (int halves = 0; halves <= 2 * games; ++halves) {
      const Interval mine = score_interval(halves / 2.0, games);
      const Interval theirs = score_interval(games - halves / 2.0, games);
      REQUIRE(mine.low >= 0.0);
      REQUIRE(mine.low <= halves / 2.0 / games);
      REQUIRE(mine.high >= halves / 2.0 / games);
      REQUIRE(mine.high <= 1.0);
      REQUIRE(mine.low == doctest::Approx(1.0 - theirs.high));
    }
  }
}

TEST_CASE("Tally") {
  constexpr Tally tally{3, 2, 5, 12};
  CHECK(tally.games() == 10);
  CHECK(tally.points() == 4.0);
  CHECK(tally.score() == 0.4);
  CHECK(Tally{}.score() == 0.5);

  Tally thirds;
  for (const int twelfths : {12, 4, 4, 4, 0}) thirds.add(twelfths);
  CHECK(thirds == Tally{1, 3, 1, 12});
  CHECK(thirds.points() == 2.0);
}

}  // namespace pitboss::clients
