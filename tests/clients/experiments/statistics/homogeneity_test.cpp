#include "clients/experiments/statistics/homogeneity.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

namespace pitboss::clients {

namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

}  // namespace

TEST_CASE("homogeneity: Pearson's statistic and its p value") {
  // Against scipy.stats.chi2_contingency(groups, correction=False).
  const auto alike = homogeneity(Groups{{20, 30, 50}, {40, 60, 100}});
  REQUIRE(alike);
  CHECK(alike->statistic == doctest::Approx(0));
  CHECK(alike->degrees == 2);
  CHECK(alike->p == doctest::Approx(1));
  const auto unlike = homogeneity(Groups{{30, 20}, {15, 35}});
  REQUIRE(unlike);
  CHECK(unlike->statistic == doctest::Approx(9.090909090909092));
  CHECK(unlike->degrees == 1);
  CHECK(unlike->p == doctest::Approx(0.0025689110).epsilon(1e-6));
  const auto three = homogeneity(Groups{{10, 20, 30}, {20, 20, 20}, {30, 20, 10}});
  REQUIRE(three);
  CHECK(three->statistic == doctest::Approx(20));
  CHECK(three->degrees == 4);
  CHECK(three->p == doctest::Approx(11 * std::exp(-10.0)));
}

TEST_CASE("homogeneity: rare classes are joined with their neighbours") {
  const auto joined = homogeneity(Groups{{1, 29, 0, 20, 0}, {0, 15, 1, 33, 1}});
  REQUIRE(joined);
  CHECK(joined->degrees == 1);
  CHECK(joined->statistic == doctest::Approx(9.090909090909092));
  // Five are enough, to the last one; fewer are not.
  const auto five = homogeneity(Groups{{5, 5}, {5, 5}});
  REQUIRE(five);
  CHECK(five->degrees == 1);
  CHECK(five->statistic == doctest::Approx(0));
  CHECK(homogeneity(Groups{{5, 5, 0, 10}, {5, 5, 10, 0}})->degrees == 3);
  CHECK(homogeneity(Groups{{5, 5, 4}, {5, 5, 4}})->degrees == 1);
  CHECK_FALSE(homogeneity(Groups{{5, 4}, {5, 5}}));
  CHECK_FALSE(homogeneity(Groups{{3, 2}, {100, 100}}));
  CHECK_FALSE(homogeneity(Groups{{50, 0}, {50, 0}}));
  CHECK_FALSE(homogeneity(Groups{{0, 0}, {50, 50}}));
  CHECK_FALSE(homogeneity(Groups{{50, 50}}));
  CHECK_FALSE(homogeneity(Groups{{}, {}}));
  CHECK_THROWS_AS(static_cast<void>(homogeneity(Groups{{1, 2}, {1}})), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(homogeneity(Groups{{1, -2}, {1, 1}})), std::invalid_argument);
}

TEST_CASE("homogeneity: groups that are alike are rejected as often as the level says") {
  std::mt19937 random(1);
  std::discrete_distribution<int> pairs({5, 20, 50, 20, 5});
  int rejected = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    Groups groups(2, std::vector<std::int64_t>(5));
    for (int round = 0; round < 300; ++round) ++groups[round % 3 == 0 ? 0 : 1][pairs(random)];
    if (homogeneity(groups)->p <= 0.05) ++rejected;
  }
  // 200 are expected, with a standard deviation of 13.8.
  CHECK(rejected > 140);
  CHECK(rejected < 260);
}

}  // namespace pitboss::clients
