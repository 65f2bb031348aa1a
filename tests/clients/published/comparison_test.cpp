#include "clients/published/comparison.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

TEST_CASE("difference: two proportions of independent games") {
  // 1194 and 1143 wins of 2000: with (1194 + 1) / 2002 and (1143 + 1) / 2002 for p1 and p2,
  // p1 - p2 +- 1.96 sqrt(p1 q1 / 2002 + p2 q2 / 2002)
  const Estimate one = estimate_of(trinomial(1194, 0, 806));
  const Estimate other = estimate_of(0.5715, 2000);
  CHECK(one.score == doctest::Approx(0.597));
  CHECK(one.mean == doctest::Approx(1195.0 / 2002));
  CHECK(one.variance == doctest::Approx(1195.0 / 2002 * 807 / 2002 / 2002));
  CHECK(other.variance == doctest::Approx(1144.0 / 2002 * 858 / 2002 / 2002));
  const Difference found = difference(one, other);
  CHECK(found.value == doctest::Approx(0.0255));
  CHECK(found.interval.low == doctest::Approx(-0.00504).epsilon(1e-2));
  CHECK(found.interval.high == doctest::Approx(0.05599).epsilon(1e-3));
  CHECK(found.p == doctest::Approx(0.1018).epsilon(1e-2));  // z = 1.636
  CHECK(difference(other, one).p == doctest::Approx(found.p));
}

TEST_CASE("difference: few games are not certain, however alike they are") {
  // 4 of 4 and 0 of 4: 5/6 and 1/6, 2/3 +- 1.96 sqrt(2 * 5/36 / 6)
  const Difference found = difference(estimate_of(trinomial(4, 0, 0)), estimate_of(0, 4));
  CHECK(found.value == 1);
  CHECK(found.interval.low == doctest::Approx(0.2450).epsilon(1e-3));
  CHECK(found.interval.high == doctest::Approx(1.0884).epsilon(1e-3));
  CHECK(found.p == doctest::Approx(0.00194).epsilon(1e-2));  // z = 3.098
  // One pair of two wins beside a paper's 2000 games even at 60 %: the pair shows nothing.
  const Difference one =
      difference(estimate_of(pentanomial({0, 0, 0, 0, 1})), estimate_of(0.6, 2000));
  CHECK(one.interval.low < 0);
  CHECK(one.interval.high > 0);
}

TEST_CASE("difference: draws, and games that share an opening, count by their rounds") {
  // Each pair scores one point of two, but for the two pairs more: 0 and 1.
  CHECK(estimate_of(pentanomial({0, 0, 100, 0, 0})).variance ==
        doctest::Approx(2 * 0.25 / 102 / 102));
  CHECK(estimate_of(trinomial(100, 0, 100)).variance == doctest::Approx(0.25 / 202));
}

TEST_CASE("verdict_on") {
  const Difference holds_zero{0.01, {-0.01, 0.03}, 0.2};
  const Difference above{0.02, {0.001, 0.04}, 0.02};
  const Difference below{-0.02, {-0.04, -0.001}, 0.04};
  const Difference wide{0.01, {-0.06, 0.08}, 0.7};
  CHECK(verdict_on(holds_zero, true) == Verdict::reproduced);
  CHECK(verdict_on(holds_zero, false) == Verdict::agrees);
  CHECK(verdict_on(wide, true) == Verdict::undecided);
  CHECK(verdict_on(above, true) == Verdict::contradicted);
  CHECK(verdict_on(below, true) == Verdict::contradicted);
  CHECK(verdict_on(above, false) == Verdict::open);
  CHECK(name_of(Verdict::begun) == "begun");
  CHECK(name_of(Verdict::not_run) == "not run");
}

TEST_CASE("verdict_on: words beside an interval") {
  const Interval above{0.56, 0.6};
  const Interval little_above{0.501, 0.549};
  const Interval around{0.451, 0.549};
  const Interval wide{0.44, 0.56};
  const Interval little_below{0.451, 0.499};
  const Interval below{0.4, 0.44};
  constexpr auto yes = Verdict::reproduced;
  constexpr auto no = Verdict::contradicted;
  constexpr auto unknown = Verdict::undecided;
  struct Line {
    Wording wording;
    Interval score;
    Verdict verdict;
  };
  for (const Line& line : {Line{Wording::better, above, yes},
                           {Wording::better, little_above, yes},
                           {Wording::better, around, unknown},
                           {Wording::better, below, no},
                           {Wording::not_better, above, no},
                           {Wording::not_better, little_above, yes},
                           {Wording::not_better, around, yes},
                           {Wording::not_better, wide, unknown},
                           {Wording::not_better, below, yes},
                           {Wording::even, above, no},
                           {Wording::even, little_above, yes},
                           {Wording::even, around, yes},
                           {Wording::even, wide, unknown},
                           {Wording::even, little_below, yes},
                           {Wording::even, below, no},
                           {Wording::worse, above, no},
                           {Wording::worse, wide, unknown},
                           {Wording::worse, below, yes}}) {
    CAPTURE(std::string(name_of(line.wording)));
    CAPTURE(line.score.low);
    CHECK(verdict_on(line.score, line.wording, true) == line.verdict);
  }
  CHECK(verdict_on(below, Wording::better, false) == Verdict::open);
  CHECK(verdict_on(above, Wording::better, false) == Verdict::agrees);
  CHECK(verdict_on(wide, Wording::better, false) == Verdict::undecided);
}

}  // namespace pitboss::clients
