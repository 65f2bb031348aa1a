#include "clients/published/comparison.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

TEST_CASE("difference: two proportions of independent games") {
  // 1194 and 1143 wins of 2000: p1 - p2 +- 1.96 sqrt(p1 q1 / n + p2 q2 / n)
  const Estimate one = estimate_of(trinomial(1194, 0, 806));
  const Estimate other = estimate_of(0.5715, 2000);
  CHECK(one.score == doctest::Approx(0.597));
  CHECK(one.variance == doctest::Approx(0.597 * 0.403 / 2000));
  CHECK(other.variance == doctest::Approx(0.5715 * 0.4285 / 2000));
  const Difference found = difference(one, other);
  CHECK(found.value == doctest::Approx(0.0255));
  CHECK(found.interval.low == doctest::Approx(-0.00503).epsilon(1e-3));
  CHECK(found.interval.high == doctest::Approx(0.05603).epsilon(1e-3));
  CHECK(found.p == doctest::Approx(0.0508).epsilon(1e-2));  // one-sided, z = 1.637
}

TEST_CASE("difference: draws, and games that share an opening, count by their rounds") {
  // Each pair scores one point of two: the mean is certain.
  CHECK(estimate_of(pentanomial({0, 0, 100, 0, 0})).variance == 0);
  CHECK(estimate_of(trinomial(100, 0, 100)).variance == doctest::Approx(0.25 / 200));
}

TEST_CASE("difference: without any variance") {
  CHECK(difference({0.6, 0}, {0.5, 0}).p == 0);
  CHECK(difference({0.5, 0}, {0.5, 0}).p == 1);
  CHECK(difference({0.4, 0}, {0.5, 0}).p == 1);
}

TEST_CASE("verdict_on") {
  const Difference holds_zero{0.01, {-0.01, 0.03}, 0.2};
  const Difference above{0.02, {0.001, 0.04}, 0.02};
  const Difference below{-0.02, {-0.04, -0.001}, 0.98};
  CHECK(verdict_on(holds_zero, true) == Verdict::reproduced);
  CHECK(verdict_on(holds_zero, false) == Verdict::reproduced);
  CHECK(verdict_on(above, true) == Verdict::contradicted);
  CHECK(verdict_on(below, true) == Verdict::contradicted);
  CHECK(verdict_on(above, false) == Verdict::open);
  CHECK(name_of(Verdict::not_run) == "not run");
}

}  // namespace pitboss::clients
