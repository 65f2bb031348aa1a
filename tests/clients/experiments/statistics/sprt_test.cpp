#include "clients/experiments/statistics/sprt.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <stdexcept>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

namespace {

using enum EloModel;

double ratio(const Scores& scores, EloModel model, double elo0, double elo1) {
  return log_likelihood_ratio(scores, {elo0, elo1, 0.05, 0.05, model});
}

/// fastchess, from which these numbers are, finds its roots to 1e-3 in the logistic model, which
/// leaves up to 3e-5, and to 1e-7 in the normalized one.
double tolerance(EloModel model) { return model == logistic || model == bayesian ? 3e-5 : 2e-6; }

struct Range {
  double elo0;
  double elo1;
};

/// Seen scores at random, some of them never.
Scores any_scores(int games_per_round, std::mt19937_64& random) {
  Scores scores(games_per_round);
  for (int halves = 0; halves <= 2 * games_per_round; ++halves) {
    scores.add(6 * halves, static_cast<std::int64_t>(random() % 4 * (random() % 30)));
  }
  scores.add(static_cast<int>(random() % 13) * games_per_round, 1);
  return scores;
}

}  // namespace

TEST_CASE("log_likelihood_ratio of pairs") {
  struct Row {
    std::array<std::int64_t, 5> pairs;
    std::array<std::array<double, 2>, 4> expected;  // normalized, logistic
  };
  constexpr Range ranges[] = {{0, 2}, {0, 5}, {0, 10}, {-5, 0}};
  constexpr Row rows[] = {
      {{10, 40, 100, 50, 20},
       {{{.243523, .349138}, {.581711, .816449}, {1.073054, 1.443153}, {.671989, 1.002519}}}},
      {{30, 120, 250, 160, 40},
       {{{.484328, .694350}, {1.136633, 1.579526}, {2.026128, 2.633670}, {1.384024, 2.096067}}}},
      {{0, 3, 7, 9, 1},
       {{{.072203, .114550}, {.178524, .284962}, {.350488, .563680}, {.185185, .289445}}}},
      {{34, 54, 63, 64, 75},
       {{{.534858, .549730}, {1.301436, 1.337374}, {2.483695, 2.551080}, {1.420267, 1.460061}}}},
      {{0, 0, 0, 0, 50},
       {{{.405386, .287006}, {1.007195, .714409}, {1.993286, 1.418464}, {1.027902, .724764}}}},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(row.pairs[0]);
      CAPTURE(i);
      const Scores scores = pentanomial(row.pairs);
      const double n = ratio(scores, normalized, ranges[i].elo0, ranges[i].elo1);
      const double l = ratio(scores, logistic, ranges[i].elo0, ranges[i].elo1);
      CAPTURE(n);
      CAPTURE(l);
      CHECK(std::abs(n - row.expected[i][0]) < tolerance(normalized));
      CHECK(std::abs(l - row.expected[i][1]) < tolerance(logistic));
    }
  }
  // Where fastchess stops early (-0.017681).
  CHECK(std::abs(ratio(pentanomial({0, 0, 50, 0, 0}), normalized, 0, 5) - -.017561) < 2e-6);
}

TEST_CASE("log_likelihood_ratio of games") {
  struct Row {
    std::array<int, 3> results;                     // won, drawn, lost
    std::array<std::array<double, 3>, 2> expected;  // normalized, logistic, bayesian
  };
  constexpr Range ranges[] = {{0, 5}, {0, 10}};
  constexpr Row rows[] = {
      {{1120, 0, 880}, {{{3.246675, 3.246781, 3.246781}, {6.078725, 6.079451, 6.079451}}}},
      {{300, 450, 250}, {{{.866782, 1.120536, .922694}, {1.526621, 1.865025, 1.607122}}}},
      {{12, 5, 3}, {{{.147529, .170177, .152922}, {.290987, .335304, .301788}}}},
  };
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const EloModel model : {normalized, logistic, bayesian}) {
        CAPTURE(row.results[0]);
        CAPTURE(i);
        const auto [wins, draws, losses] = row.results;
        const double found =
            ratio(trinomial(wins, draws, losses), model, ranges[i].elo0, ranges[i].elo1);
        CAPTURE(found);
        CHECK(std::abs(found - row.expected[i][static_cast<int>(model)]) < tolerance(model));
      }
    }
  }
}

TEST_CASE("log_likelihood_ratio: fastchess's own test values") {
  struct Row {
    Scores scores;
    EloModel model;
    Range range;
    double expected;
  };
  const Row rows[] = {
      {pentanomial({365, 16618, 36029 + 200, 16974, 390}), normalized, {0, 2}, 2.25},
      {pentanomial({127, 4883, 10311 + 401, 5150, 104}), normalized, {-1.75, 0.25}, 3.01},
      {pentanomial({223, 9863, 20279 + 1000, 10037, 246}), logistic, {0.5, 2.5}, -3.07},
      {pentanomial({871, 26175, 55003 + 980, 26678, 821}), logistic, {0, 2}, -4.98},
      {trinomial(36433, 68692, 36027), normalized, {0, 2}, 0.92},
  };
  for (const Row& row : rows) {
    const double found = ratio(row.scores, row.model, row.range.elo0, row.range.elo1);
    CHECK(std::abs(found - row.expected) < 0.00501);
  }
}

TEST_CASE("sprt_bounds and sprt_verdict") {
  struct Row {
    double alpha;
    double beta;
    double low;
    double high;
  };
  constexpr Row rows[] = {
      {.05, .05, -2.944438979, 2.944438979},
      {.01, .01, -4.595119850, 4.595119850},
      {.05, .10, -2.251291799, 2.890371758},
      {.01, .10, -2.292534757, 4.499809670},
  };
  for (const Row& row : rows) {
    const SprtPlan plan{0, 5, row.alpha, row.beta, normalized};
    CHECK(std::abs(sprt_bounds(plan).low - row.low) < 1e-9);
    CHECK(std::abs(sprt_bounds(plan).high - row.high) < 1e-9);
    CHECK(sprt_verdict(row.high + 1e-8, plan) == SprtVerdict::accept_elo1);
    CHECK(sprt_verdict(row.high - 1e-8, plan) == SprtVerdict::undecided);
    CHECK(sprt_verdict(row.low + 1e-8, plan) == SprtVerdict::undecided);
    CHECK(sprt_verdict(row.low - 1e-8, plan) == SprtVerdict::accept_elo0);
    CHECK(sprt_verdict(sprt_bounds(plan).low, plan) == SprtVerdict::accept_elo0);
    CHECK(sprt_verdict(sprt_bounds(plan).high, plan) == SprtVerdict::accept_elo1);
  }
}

TEST_CASE("most_likely_shares are a distribution with that difference") {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    for (const int games : {1, 2, 6, 14}) {
      const Scores scores = any_scores(games, random);
      for (const double elo : {-200.0, -30.0, 0.0, 2.0, 50.0, 200.0}) {
        for (const EloModel model : {normalized, logistic}) {
          CAPTURE(trial);
          CAPTURE(games);
          CAPTURE(elo);
          const std::vector<double> shares = most_likely_shares(scores, elo, model);
          double sum = 0;
          double mean = 0;
          double square = 0;
          for (std::size_t i = 0; i < shares.size(); ++i) {
            const double score = scores.score(scores.classes()[i]);
            REQUIRE(shares[i] > 0);
            sum += shares[i];
            mean += shares[i] * score;
            square += shares[i] * score * score;
          }
          REQUIRE(std::abs(sum - 1) < 1e-8);
          const double deviation = std::sqrt(games * (square - mean * mean));
          const double found =
              model == normalized ? (mean - 0.5) / deviation * 2 * elo_scale : *elo_of(mean);
          REQUIRE(std::abs(found - elo) < 1e-5);
        }
      }
    }
  }
}

TEST_CASE("log_likelihood_ratio: what holds for any scores") {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 100; ++trial) {
    for (const int games : {1, 2, 6, 14}) {
      const Scores scores = any_scores(games, random);
      for (const EloModel model : {normalized, logistic}) {
        CAPTURE(trial);
        CAPTURE(games);
        for (const Range range : {Range{0, 5}, Range{-3, 1}, Range{20, 60}, Range{-200, 200}}) {
          const double found = ratio(scores, model, range.elo0, range.elo1);
          // The other player's is the negative.
          const double other = ratio(scores.reversed(), model, -range.elo1, -range.elo0);
          REQUIRE(std::abs(found + other) < 1e-6 * (1 + std::abs(found)));
        }
        // It rises up to the difference seen, and falls from there.
        const auto seen =
            model == normalized ? normalized_elo_estimate(scores).elo : elo_estimate(scores).elo;
        if (!seen) continue;
        for (double elo = -200; elo < 200; elo += 20) {
          const double found = ratio(scores, model, elo, elo + 20);
          if (elo + 20 < *seen - 1) REQUIRE(found > 0);
          if (elo > *seen + 1) REQUIRE(found < 0);
        }
      }
    }
  }
}

TEST_CASE("log_likelihood_ratio grows with the rounds") {
  const double some = ratio(pentanomial({10, 40, 100, 50, 20}), normalized, 0, 5);
  const double more = ratio(pentanomial({100, 400, 1000, 500, 200}), normalized, 0, 5);
  CHECK(more == doctest::Approx(10 * some).epsilon(1e-9));
}

TEST_CASE("log_likelihood_ratio: pairs of independent games say what the games say") {
  const Scores games = trinomial(6000, 9000, 5000);
  const Scores pairs = pentanomial({625, 2250, 2025 + 1500, 2700, 900});
  for (const EloModel model : {normalized, logistic}) {
    const double found = ratio(pairs, model, 0, 5);
    CHECK(found == doctest::Approx(ratio(games, model, 0, 5)).epsilon(0.01));
  }
}

TEST_CASE("log_likelihood_ratio without rounds, and of rounds that scored alike") {
  for (const EloModel model : {normalized, logistic, bayesian}) {
    CHECK(ratio(Scores(1), model, 0, 5) == 0.0);
    CHECK(ratio(trinomial(30, 0, 0), model, 0, 5) > 0.0);
    CHECK(ratio(trinomial(0, 0, 30), model, 0, 5) < 0.0);
    CHECK(std::isfinite(ratio(trinomial(0, 30, 0), model, 0, 5)));
    CHECK(std::isfinite(ratio(trinomial(1000000000, 0, 0), model, 0, 5)));
  }
}

TEST_CASE("Plans that make no test are refused") {
  const Scores pairs = pentanomial({1, 1, 1, 1, 1});
  const double nan = std::nan("");
  const SprtPlan wrong[] = {
      {5, 0, .05, .05, normalized}, {0, 0, .05, .05, normalized}, {nan, 5, .05, .05, normalized},
      {0, 201, .05, .05, logistic}, {0, 5, 0, .05, normalized},   {0, 5, .05, .5, normalized},
      {0, 5, nan, .05, normalized}, {0, 5, .05, .05, bayesian},
  };
  for (const SprtPlan& plan : wrong) {
    CHECK_THROWS_AS(static_cast<void>(log_likelihood_ratio(pairs, plan)), std::invalid_argument);
  }
  CHECK_NOTHROW(check({0, 5, .05, .05, bayesian}, 1));
}

}  // namespace pitboss::clients
