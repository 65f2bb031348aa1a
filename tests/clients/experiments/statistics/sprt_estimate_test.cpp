#include "clients/experiments/statistics/sprt_estimate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace pitboss::clients {

namespace {

/// A test of rounds that one of two wins, at a true score; looked at after each round.
Scores played_test(const SprtPlan& plan, double score, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform;
  Scores scores(1);
  const Interval bounds = sprt_bounds(plan);
  const double low = score_of(plan.elo0);
  const double high = score_of(plan.elo1);
  double llr = 0;
  while (llr > bounds.low && llr < bounds.high) {
    const bool is_won = uniform(random) < score;
    scores.add(is_won ? 12 : 0);
    llr += is_won ? std::log(high / low) : std::log((1 - high) / (1 - low));
  }
  return scores;
}

}  // namespace

TEST_CASE("probability_of_worse: both formulas meet") {
  const Interval bounds{-2.944, 2.944};
  for (const double drift : {-0.02, -0.005, 0.0, 1e-7, 0.004, 0.02}) {
    for (const double llr : {-2.944, -1.0, 0.5, 2.944}) {
      CAPTURE(drift);
      CAPTURE(llr);
      // 0.1 * width * width / (deviation * deviation) rounds separate them.
      const double before = probability_of_worse(bounds, drift, 0.1, 346.6, llr);
      const double after = probability_of_worse(bounds, drift, 0.1, 346.8, llr);
      CHECK(after == doctest::Approx(before).epsilon(0.002));
    }
  }
}

TEST_CASE("probability_of_worse: the end of a long test is which bound it meets") {
  const Interval bounds{-2.944, 2.944};
  const double drift = 0.002;
  // The probability to end at the lower bound (Wald).
  const double gamma = drift / 0.01;
  const double lower = (std::exp(-2 * gamma * 2.944) - std::exp(-4 * gamma * 2.944)) /
                       (1 - std::exp(-4 * gamma * 2.944));
  CHECK(probability_of_worse(bounds, drift, 0.1, 1e6, 0) == doctest::Approx(lower));
  CHECK(probability_of_worse(bounds, 0, 0.1, 1e6, 0) == doctest::Approx(0.5));
}

TEST_CASE("probability_of_worse: steep motions") {
  const Interval bounds{-2.944, 2.944};
  for (const double sign : {-1.0, 1.0}) {
    CAPTURE(sign);
    // On either side of the change between the formulas, at a steepness of 15.
    const double drift = sign * 15 * 0.01 / 5.888;
    const double before = probability_of_worse(bounds, 0.999 * drift, 0.1, 400, sign * 2.9);
    const double after = probability_of_worse(bounds, 1.001 * drift, 0.1, 400, sign * 2.9);
    CHECK(after == doctest::Approx(before).epsilon(0.01));
    // At a steepness of 300 it still depends on the length of the test: the motion reaches the
    // bound after 5.78 rounds, give or take 0.41.
    const double steep = sign * 300 * 0.01 / 5.888;
    CHECK(probability_of_worse(bounds, steep, 0.1, 5.78, 0) ==
          doctest::Approx(sign < 0).epsilon(1e-6));
    CHECK(probability_of_worse(bounds, steep, 0.1, 2.944 / 0.5095, sign * 2.944) ==
          doctest::Approx(0.5).epsilon(0.05));
  }
}

TEST_CASE("sprt_corrected_estimate: a large difference in a test of small ones") {
  const Scores scores = pentanomial({5, 20, 80, 90, 60});
  const EloEstimate plain = elo_estimate(scores);
  SprtPlan plan;
  plan.model = EloModel::normalized;
  plan.elo0 = 0;
  for (const double elo1 : {2.0, 5.0}) {
    CAPTURE(elo1);
    plan.elo1 = elo1;
    const auto estimate = sprt_corrected_estimate(scores, plan);
    REQUIRE(estimate.has_value());
    CHECK(estimate->elo.value() == doctest::Approx(plain.elo.value()).epsilon(0.01));
    CHECK(std::abs(estimate->low.value() - plain.low.value()) < 4);
    CHECK(std::abs(estimate->high.value() - plain.high.value()) < 4);
  }
}

TEST_CASE("sprt_corrected_estimate: of normalized Elo as of the same scores in logistic Elo") {
  const Scores scores = pentanomial({5, 20, 80, 30, 10});
  const SprtPlan normalized{.elo0 = 0, .elo1 = 40, .model = EloModel::normalized};
  // A score of a game is so many of its standard deviations, which are those of a pair times the
  // root of two, above a half.
  const double high = 0.5 + 40 / (2 * elo_scale) * std::sqrt(2 * scores.variance());
  const SprtPlan logistic{.elo0 = 0, .elo1 = elo_of(high).value(), .model = EloModel::logistic};
  for (const SprtPlan& plan : {normalized, logistic}) {
    const auto estimate = sprt_corrected_estimate(scores, plan);
    REQUIRE(estimate.has_value());
    CHECK(estimate->elo.value() == doctest::Approx(23.27).epsilon(0.0005));
    CHECK(estimate->low.value() == doctest::Approx(-1.79).epsilon(0.005));
    CHECK(estimate->high.value() == doctest::Approx(48.11).epsilon(0.0005));
  }
}

TEST_CASE("sprt_corrected_estimate: its median is true and its interval covers") {
  SprtPlan plan;
  plan.model = EloModel::logistic;
  plan.elo0 = 0;
  plan.elo1 = 60;
  std::mt19937 random(1);
  for (const double elo : {0.0, 40.0, 90.0}) {
    CAPTURE(elo);
    constexpr int tests = 400;
    int above = 0;
    int covered = 0;
    std::vector<double> plain;
    for (int i = 0; i < tests; ++i) {
      const Scores scores = played_test(plan, score_of(elo), random);
      const auto estimate = sprt_corrected_estimate(scores, plan);
      REQUIRE(estimate.has_value());
      above += estimate->elo.value() > elo ? 1 : 0;
      covered += estimate->low.value() <= elo && elo <= estimate->high.value() ? 1 : 0;
      plain.push_back(elo_estimate(scores).elo.value_or(0));
    }
    // Four standard errors of a half, and more for 95 %.
    CHECK(above > tests / 2 - 45);
    CHECK(above < tests / 2 + 45);
    CHECK(covered > tests * 91 / 100);
    // That of the score alone exaggerates.
    if (elo > 60)
      CHECK(std::ranges::count_if(plain, [&](double one) { return one > elo; }) > above);
  }
}

TEST_CASE("sprt_corrected_estimate: without a model or without differences there is none") {
  SprtPlan plan;
  CHECK_FALSE(sprt_corrected_estimate(Scores(2), plan).has_value());
  CHECK_FALSE(sprt_corrected_estimate(pentanomial({0, 0, 0, 0, 9}), plan).has_value());
  CHECK(sprt_corrected_estimate(pentanomial({1, 3, 9, 5, 2}), plan).has_value());
  plan.model = EloModel::bayesian;
  CHECK_FALSE(sprt_corrected_estimate(trinomial(5, 3, 2), plan).has_value());
}

}  // namespace pitboss::clients
