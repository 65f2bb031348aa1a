#include "clients/experiments/statistics/paired_comparisons.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace pitboss::clients {

TEST_CASE("maximise: two players, in closed form") {
  PairedComparisons data;
  data.players = 2;
  data.wins = {0, 30, 10, 0};
  data.draw = 0.0;
  data.component = {0, 0};
  const PairedFit fit = maximise(data);
  CHECK(fit.ratings[0] == doctest::Approx(std::log(3.0) / 2));
  CHECK(fit.ratings[1] == doctest::Approx(-std::log(3.0) / 2));
  CHECK(fit.log_likelihood == doctest::Approx(30 * std::log(0.75) + 10 * std::log(0.25)));
  // The difference has the variance 1 / (n p q); a rating, half as far from the mean, a quarter of
  // it.
  const double variance = 1 / (40 * 0.75 * 0.25);
  CHECK(fit.covariances[0] == doctest::Approx(variance / 4));
  CHECK(fit.covariances[1] == doctest::Approx(-variance / 4));
}

TEST_CASE("maximise: the draw parameter of equal players, in closed form") {
  // 30 won by each, 40 drawn: a win has the probability 0.3 = f(-d).
  PairedComparisons data;
  data.players = 2;
  data.wins = {0, 70, 70, 0};
  data.draws = 40;
  data.component = {0, 0};
  const PairedFit fit = maximise(data);
  CHECK(fit.draw == doctest::Approx(std::log(7.0 / 3)));
  CHECK(fit.ratings[0] == doctest::Approx(0.0));
  CHECK(fit.log_likelihood == doctest::Approx(60 * std::log(0.3) + 40 * std::log(0.4)));
}

}  // namespace pitboss::clients
