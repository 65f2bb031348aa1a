#include "clients/experiments/statistics/median.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace pitboss::clients {

namespace {

/// The numbers from 1 to n, which are their ranks, in another order.
std::vector<double> ranks(int n) {
  std::vector<double> out(n);
  std::iota(out.begin(), out.end(), 1);
  std::ranges::rotate(out, out.begin() + n / 3);
  std::ranges::reverse(out.begin(), out.begin() + n / 2);
  return out;
}

}  // namespace

TEST_CASE("median") {
  CHECK(median({7}) == 7);
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("estimate_median: the ranks of tables of the sign test at 95 %") {
  struct Row {
    int count;
    int low;
    int high;
  };
  // Conover, Practical Nonparametric Statistics, table A3: of n = 20 five lie below with 0.0207,
  // six with 0.0577, so the sixth lowest is the bound. Of 5 all lie above with 0.031, of 6 with
  // 0.016.
  for (const auto& [count, low, high] : {Row{6, 1, 6},
                                         {7, 1, 7},
                                         {8, 1, 8},
                                         {9, 2, 8},
                                         {10, 2, 9},
                                         {15, 4, 12},
                                         {20, 6, 15},
                                         {25, 8, 18},
                                         {30, 10, 21},
                                         {50, 18, 33},
                                         {100, 40, 61},
                                         {1000, 469, 532}}) {
    CAPTURE(count);
    const MedianEstimate estimate = estimate_median(ranks(count));
    CHECK(estimate.value == (count + 1) / 2.0);
    CHECK(estimate.count == count);
    REQUIRE(estimate.interval);
    CHECK(estimate.interval->low == low);
    CHECK(estimate.interval->high == high);
  }
}

TEST_CASE("estimate_median: no interval of fewer than six") {
  for (const int count : {1, 2, 5}) {
    const MedianEstimate estimate = estimate_median(ranks(count));
    CHECK(estimate.value == (count + 1) / 2.0);
    CHECK(estimate.count == count);
    CHECK_FALSE(estimate.interval);
  }
}

}  // namespace pitboss::clients
