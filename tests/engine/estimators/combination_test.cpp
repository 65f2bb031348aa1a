#include "engine/estimators/combination.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/formulas.hpp"
#include "games/random.hpp"
#include "tests/engine/instruction_sets.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

constexpr double z = 1.96;

}  // namespace

TEST_CASE("largest_variance: the values of ME-MCTS with z = 1.96") {
  struct Row {
    double p;
    double n;
    double lower;
    double theta;
    double variance;
  };
  for (const auto& [p, n, lower, theta, variance] :
       {Row{0, 1, 0, 0.5, 0.25}, Row{1, 1, 0.054619, 0.5, 0.25}, Row{0, 2, 0, 0.5, 0.125},
        Row{0, 5, 0, 0.5, 0.05}, Row{1, 10, 0.655456, 0.655456, 0.02258334},
        Row{0, 20, 0, 0.200458, 0.00801373}, Row{0.9, 10, 0.541148, 0.541148, 0.02483068},
        Row{0.7, 50, 0.552163, 0.552163, 0.00494558}, Row{0.55, 100, 0.447541, 0.5, 0.0025},
        Row{0.95, 100, 0.881699, 0.881699, 0.00104306},
        Row{0.2, 1000, 0.175902, 0.226441, 0.00017517},
        Row{1, 1000, 0.995229, 0.995229, 0.00000475}}) {
    CAPTURE(p);
    CAPTURE(n);
    // The author's program has 0 for the lower end of p = 0, which is of no matter here.
    if (p > 0) CHECK(1 - wilson_upper(1 - p, n, z) == doctest::Approx(lower).epsilon(1e-5));
    CHECK(largest_variance(p, n, z) == doctest::Approx(variance).epsilon(2e-3).scale(0));
    CHECK(largest_variance(p, n, z) ==
          doctest::Approx(theta * (1 - theta) / n).epsilon(2e-3).scale(0));
  }
}

TEST_CASE("largest_variance: bounded, symmetric, falling with n") {
  for (int i = 0; i <= 20; ++i) {
    const double p = i / 20.0;
    double last = 1;
    for (double n = 1; n < 1e6; n *= 1.7) {
      const double variance = largest_variance(p, n, z);
      CHECK(variance > 0);
      CHECK(variance <= 0.25 / n);
      CHECK(variance == doctest::Approx(largest_variance(1 - p, n, z)).epsilon(1e-12));
      CHECK(variance <= last);
      last = variance;
    }
  }
  // z below 1, where the radicand can be negative, and means a little outside of [0, 1].
  CHECK(std::isfinite(largest_variance(0.5, 1, 0.1)));
  CHECK(largest_variance(1 + 1e-9, 1000, z) == largest_variance(1, 1000, z));
}

TEST_CASE("combined: weights, mean and width") {
  std::array<double, 3> lambda{};
  const auto check = [&](std::initializer_list<Estimate> estimates, double t,
                         std::initializer_list<double> weights, double mean, double width) {
    const auto [m, w] =
        combined(std::span(estimates.begin(), estimates.end()), std::log(t), z, lambda);
    CHECK(m == doctest::Approx(mean).epsilon(2e-6));
    CHECK(w == doctest::Approx(width).epsilon(5e-6));
    std::size_t i = 0;
    double sum = 0;
    for (const double expected : weights) {
      CHECK(lambda[i] == doctest::Approx(expected).epsilon(1e-5));
      sum += lambda[i++];
    }
    CHECK(sum == doctest::Approx(1));
  };
  check({{1.0, 2, 0, 0.2}, {0.6, 100, 0.1, 0.1}}, 500, {0.090909, 0.909091}, 0.636364, 0.111025);
  check({{0.5, 10, 0, 0.2}, {0.6, 100, 0.1, 0.1}}, 500, {1.0 / 3, 2.0 / 3}, 0.566667, 0.155904);
  check({{0.5, 10, 0, 0.2}, {0.7, 40, 0.05, 0.1}, {0.6, 1000, 0.1, 0.1}}, 5000,
        {0.158575, 0.454477, 0.386948}, 0.629590, 0.102343);
  check({{0.6, 100, 0.1, 0.1}}, 500, {1}, 0.6, 0.070510);
  // Without samples: no weight.
  check({{0.6, 100, 0.1, 0.1}, {0.9, 0, 0, 5}}, 500, {1, 0}, 0.6, 0.070510);
}

TEST_CASE("combined: with two estimates that are near 1/2 it is minimum-MSE RAVE (Gelly, Silver)") {
  for (const double b : {0.05, 0.1, 0.3}) {
    for (const double n : {1.0, 10.0, 40.0}) {
      for (const double m : {5.0, 50.0, 200.0}) {
        const std::array<Estimate, 2> estimates{{{0.5, n, 0, 0.1}, {0.5, m, b, 0.1}}};
        std::array<double, 2> lambda{};
        static_cast<void>(combined(estimates, 3, z, lambda));
        CHECK(lambda[1] == doctest::Approx(m / (n + m + 4 * n * m * b * b)).epsilon(1e-12));
      }
    }
  }
  // With ever more samples all weight is the unbiased one's.
  const std::array<Estimate, 2> many{{{0.4, 1e9, 0, 0.1}, {0.6, 1e9, 0.1, 0.1}}};
  std::array<double, 2> lambda{};
  static_cast<void>(combined(many, 20, z, lambda));
  CHECK(lambda[0] > 0.999999);
  // The order does not matter.
  const std::array<Estimate, 3> some{
      {{0.5, 10, 0, 0.2}, {0.7, 40, 0.05, 0.1}, {0.6, 99, 0.1, 0.3}}};
  const std::array<Estimate, 3> turned{{some[2], some[0], some[1]}};
  const auto a = combined(some, 5, z);
  const auto c = combined(turned, 5, z);
  CHECK(a.mean == doctest::Approx(c.mean).epsilon(1e-12));
  CHECK(a.width == doctest::Approx(c.width).epsilon(1e-12));
}

TEST_CASE("combined_bounds: what `combined` says, the same bits on every instruction set") {
  constexpr int moves = 40;
  struct alignas(64) Floats {
    std::array<float, moves> value{};
  };
  games::Random random(1);
  const std::array<double, 3> biases{0, 0.07, 0.2};
  const std::array<double, 3> factors{0.1, 0.4, 0.25};
  const std::array<float, 3> leasts{0.5F, 1, 20};
  const float unknown = 0.75F;
  std::array<Floats, 3> means;
  std::array<Floats, 3> counts;
  for (int e = 0; e < 3; ++e) {
    for (int i = 0; i < moves; ++i) {
      const int scale = 1 << random.below(12);
      const int count = random.below(3) == 0 ? 0 : random.below(scale) + 1;
      counts[e].value[i] = static_cast<float>(count);
      means[e].value[i] = static_cast<float>(random.below(101)) / 100;
      // Whatever stands where there are no samples must not matter.
      if (count == 0 && random.below(2) == 0) {
        means[e].value[i] = std::numeric_limits<float>::infinity();
      }
    }
  }
  for (const double log_t : {0.0, 1.0, 9.0}) {
    std::vector<EstimateColumn> columns;
    for (int e = 0; e < 3; ++e) {
      columns.push_back({means[e].value.data(), counts[e].value.data(), leasts[e],
                         static_cast<float>(biases[e] * biases[e]),
                         static_cast<float>(8 * factors[e] * factors[e] * log_t)});
    }
    Floats first;
    bool is_first = true;
    tests::with_each_instruction_set([&] {
      Floats bounds;
      const float highest = combined_bounds(columns, {static_cast<float>(z), unknown}, moves - 3,
                                            bounds.value.data());
      CHECK(highest == *std::max_element(bounds.value.begin(), bounds.value.end() - 3));
      if (is_first) first = bounds;
      is_first = false;
      CHECK(bounds.value == first.value);
    });
    for (int i = 0; i < moves; ++i) {
      std::vector<Estimate> estimates;
      bool known = false;
      for (int e = 0; e < 3; ++e) {
        const float count = counts[e].value[i] < leasts[e] ? 0 : counts[e].value[i];
        known = known || count > 0;
        estimates.push_back({means[e].value[i], count, biases[e], factors[e]});
      }
      if (!known) {
        CHECK(first.value[i] == unknown);
        continue;
      }
      const auto [mean, width] = combined(estimates, log_t, z);
      CHECK(first.value[i] == doctest::Approx(mean + width).epsilon(1e-4));
    }
  }
}

TEST_CASE("combined_bounds: however many samples of however sure a move") {
  constexpr int moves = 8;
  alignas(64) std::array<float, moves> mean{0, 1, 0.5F, 1, 0, 0.999F, 0.001F, 1};
  alignas(64) std::array<float, moves> count{};
  alignas(64) std::array<float, moves> bound{};
  for (const float z_used : {0.1F, 1.96F, 10.0F}) {
    for (float n = 1; n <= 4.2e9F; n *= 8) {
      count.fill(n);
      for (const float c : {0.0F, 0.2F, 10.0F}) {
        for (const float bias : {0.0F, 0.1F}) {
          const std::array<EstimateColumn, 1> columns{
              {{mean.data(), count.data(), 1, bias * bias, 8 * c * c * 22}}};
          const float highest = combined_bounds(columns, {z_used, 1}, moves, bound.data());
          float expected_highest = 0;
          for (int i = 0; i < moves; ++i) {
            const std::array<Estimate, 1> estimate{{{mean[i], n, bias, c}}};
            const auto [value, width] = combined(estimate, 22, z_used);
            CHECK(bound[i] == doctest::Approx(value + width).epsilon(1e-3));
            expected_highest = std::max(expected_highest, bound[i]);
          }
          CHECK(highest == expected_highest);
        }
      }
    }
  }
}
