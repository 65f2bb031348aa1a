#include "clients/experiments/statistics/elo.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace pitboss::clients {

double score_of(double elo) { return 1.0 / (1.0 + std::exp(-elo / elo_scale)); }

std::optional<double> elo_of(double score) {
  if (!(score > 0.0 && score < 1.0)) return std::nullopt;
  return elo_scale * std::log(score / (1.0 - score));
}

std::optional<double> EloEstimate::error() const {
  if (!low || !high) return std::nullopt;
  return (*high - *low) / 2.0;
}

EloEstimate elo_estimate(const Scores& scores) {
  if (scores.rounds() == 0) return {};
  const Interval interval = scores.interval();
  EloEstimate estimate{elo_of(scores.mean()), elo_of(interval.low), elo_of(interval.high)};
  // Where the normal approximation reaches beyond the possible, it needs rounds to be worth a
  // bound.
  constexpr int least_rounds = 10;
  const bool is_one_sided = estimate.elo && (!estimate.low || !estimate.high);
  if (is_one_sided && scores.rounds() < least_rounds) estimate.low = estimate.high = std::nullopt;
  return estimate;
}

EloEstimate normalized_elo_estimate(const Scores& scores) {
  if (scores.all_alike()) return {};
  const double deviation = std::sqrt(scores.games_per_round() * scores.variance());
  const double elo = (scores.mean() - 0.5) / deviation * 2.0 * elo_scale;
  const double error = normalized_elo_error(scores.games());
  return {elo, elo - error, elo + error};
}

double normalized_elo_error(std::int64_t games) {
  return 2.0 * elo_scale * exact_normal_95 / std::sqrt(static_cast<double>(games));
}

double superiority(const Scores& scores) {
  const double lead = scores.mean() - 0.5;
  if (lead == 0.0) return 0.5;
  if (!scores.all_alike()) return probability_positive(lead, scores.standard_error());
  const double doubt = std::exp2(-static_cast<double>(scores.rounds() + 1));
  return lead > 0.0 ? 1.0 - doubt : doubt;
}

double probability_positive(double mean, double deviation) {
  return boost::math::erfc(-mean / (deviation * std::numbers::sqrt2)) / 2.0;
}

}  // namespace pitboss::clients
