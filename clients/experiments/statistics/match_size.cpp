#include "clients/experiments/statistics/match_size.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

namespace {

/// The probability that a Brownian motion that begins at 0, and whose drift is above 0, ends at the
/// upper bound. `steepness`: twice its drift by its variance.
double rising(const Interval& bounds, double steepness) {
  return std::expm1(steepness * bounds.low) / std::expm1(steepness * (bounds.low - bounds.high));
}

}  // namespace

double deviation_of_game(double score, double draws) {
  const double wins = score - draws / 2;
  if (!(draws >= 0 && wins >= 0 && wins + draws <= 1)) {
    throw std::invalid_argument("no games are drawn so often and won so often");
  }
  return std::sqrt(wins + draws / 4 - score * score);
}

double deviation_of_game(const Scores& rounds) {
  return std::sqrt(rounds.variance() * rounds.games_per_round());
}

double games_for_error(double score, double deviation, double error) {
  const double elo_a_point = elo_scale / (score * (1 - score));
  const double ratio = exact_normal_95 * deviation * elo_a_point / error;
  return ratio * ratio;
}

double games_for_power(double score, double deviation, double power) {
  const double quantile = std::numbers::sqrt2 * boost::math::erf_inv(2 * power - 1);
  const double ratio = (exact_normal_95 + quantile) * deviation / (score - 0.5);
  return ratio * ratio;
}

TestLength expected_length(const SprtPlan& plan, double score, double deviation) {
  const Interval bounds = sprt_bounds(plan);
  const Interval compared = compared_scores(plan, deviation).value();
  const double spread = (compared.high - compared.low) / deviation;  // of the ratio, a game
  const double drift = spread * (score - (compared.low + compared.high) / 2) / deviation;
  const double steepness = 2 * drift / (spread * spread);
  if (std::abs(steepness) * (bounds.high - bounds.low) < 1e-6) {
    return {.games = -bounds.low * bounds.high / (spread * spread),
            .accepts_elo1 = -bounds.low / (bounds.high - bounds.low)};
  }
  const double accepts = steepness > 0 ? rising(bounds, steepness)
                                       : 1 - rising({-bounds.high, -bounds.low}, -steepness);
  return {.games = (accepts * bounds.high + (1 - accepts) * bounds.low) / drift,
          .accepts_elo1 = accepts};
}

}  // namespace pitboss::clients
