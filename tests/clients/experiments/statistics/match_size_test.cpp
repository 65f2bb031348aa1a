#include "clients/experiments/statistics/match_size.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

TEST_CASE("deviation_of_game: of games and of pairs") {
  CHECK(deviation_of_game(0.5, 0) == doctest::Approx(0.5));
  CHECK(deviation_of_game(0.5, 0.36) == doctest::Approx(0.4));
  CHECK(deviation_of_game(0.6, 0.2) == doctest::Approx(std::sqrt(0.5 + 0.05 - 0.36)));
  CHECK(deviation_of_game(trinomial(50, 20, 30)) == doctest::Approx(deviation_of_game(0.6, 0.2)));
  // Pairs of which each player always wins one: they say nothing of chance.
  CHECK(deviation_of_game(pentanomial({0, 0, 100, 0, 0})) == 0);
  // Pairs of two games that do not depend on each other, without draws.
  CHECK(deviation_of_game(pentanomial({25, 0, 50, 0, 25})) == doctest::Approx(0.5));
  CHECK_THROWS_AS(static_cast<void>(deviation_of_game(0.9, 0.5)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(deviation_of_game(0.5, 1.1)), std::invalid_argument);
  CHECK_THROWS_AS(static_cast<void>(deviation_of_game(0.5, -0.1)), std::invalid_argument);
}

TEST_CASE("games_for_error: after so many games the interval is that wide") {
  for (const double score : {0.5, 0.55, 0.8}) {
    CAPTURE(score);
    const double draws = 0.3;
    const double games = games_for_error(score, deviation_of_game(score, draws), 4);
    const auto drawn = std::llround(games * draws);
    const auto won = std::llround(games * (score - draws / 2));
    const EloEstimate estimate =
        elo_estimate(trinomial(won, drawn, std::llround(games) - won - drawn));
    CHECK(estimate.error().value() == doctest::Approx(4).epsilon(0.002));
  }
}

TEST_CASE("games_for_power: by the quantiles of the normal distribution") {
  // ((1.959964 + 0.841621) * 0.5 / 0.05)^2, ((1.959964 + 1.644854) * 0.4 / 0.02)^2.
  CHECK(games_for_power(0.55, 0.5, 0.8) == doctest::Approx(784.89).epsilon(1e-4));
  CHECK(games_for_power(0.48, 0.4, 0.95) == doctest::Approx(5197.88).epsilon(1e-4));
}

TEST_CASE("expected_length: by Wald's formulas, and whatever the draws for normalized Elo") {
  const SprtPlan plan{.elo0 = 0, .elo1 = 5};
  const auto at = [&](double elo, double deviation) {
    return expected_length(plan, 0.5 + elo / (2 * elo_scale) * deviation, deviation);
  };
  CHECK(at(0, 0.5).accepts_elo1 == doctest::Approx(0.05));
  CHECK(at(5, 0.5).accepts_elo1 == doctest::Approx(0.95));
  CHECK(at(2.5, 0.5).accepts_elo1 == doctest::Approx(0.5));
  CHECK(at(-300, 0.5).accepts_elo1 == doctest::Approx(0));
  CHECK(at(300, 0.5).accepts_elo1 == doctest::Approx(1));
  // ln 19 squared, over the square of 5 ln 10 / 800.
  CHECK(at(2.5, 0.5).games == doctest::Approx(41861).epsilon(1e-4));
  // 0.9 ln 19 over half that square.
  CHECK(at(0, 0.5).games == doctest::Approx(25590.8).epsilon(1e-4));
  CHECK(at(5, 0.5).games == doctest::Approx(at(0, 0.5).games));
  CHECK(at(4, 0.2).games == doctest::Approx(at(4, 0.5).games));
}

TEST_CASE("expected_length: tests that are played last that long") {
  const SprtPlan plan{.elo0 = 0, .elo1 = 60, .alpha = 0.1, .beta = 0.05};
  const double draws = 0.3;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform;
  for (const double score : {0.5, 0.53, 0.6}) {
    CAPTURE(score);
    constexpr int tests = 150;
    double games = 0;
    double accepted = 0;
    for (int i = 0; i < tests; ++i) {
      Scores scores(1);
      auto verdict = SprtVerdict::undecided;
      while (verdict == SprtVerdict::undecided) {
        const double draw = uniform(random);
        const bool is_drawn = draw >= 1 - draws;
        scores.add(is_drawn ? 6 : draw < score - draws / 2 ? 12 : 0);
        if (scores.games() < 10) continue;
        verdict = sprt_verdict(log_likelihood_ratio(scores, plan), plan);
      }
      games += static_cast<double>(scores.games()) / tests;
      accepted += (verdict == SprtVerdict::accept_elo1 ? 1.0 : 0.0) / tests;
    }
    const TestLength expected = expected_length(plan, score, deviation_of_game(score, draws));
    CHECK(games == doctest::Approx(expected.games).epsilon(0.2));
    CHECK(std::abs(accepted - expected.accepts_elo1) < 0.12);
  }
}

}  // namespace pitboss::clients
