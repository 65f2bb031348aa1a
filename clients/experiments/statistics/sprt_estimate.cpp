#include "clients/experiments/statistics/sprt_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "clients/experiments/statistics/match_size.hpp"

namespace pitboss::clients {

namespace {

double below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// exp(exponent) * below(z), of which the first factor alone may be too large and the second too
/// small.
double weighted(double exponent, double z) {
  constexpr double far = -30;  // from there on a billionth is left out
  const double logarithm = z > far ? std::log(below(z))
                                   : -z * z / 2 - std::log(-z * std::sqrt(2 * std::numbers::pi)) -
                                         std::log1p(1 / (z * z));
  return std::exp(exponent + logarithm);
}

/// Without paths that reach both bounds: exact to a thousandth while the motion is narrow
/// against the distance of the bounds, or steep. Siegmund's approximation for short tests,
/// Sequential Analysis (1985).
double narrow(const Interval& bounds, double drift, double deviation, double rounds, double llr) {
  const double spread = deviation * std::sqrt(rounds);
  const double middle = drift * rounds;
  const double gamma = drift / (deviation * deviation);
  return below((llr - middle) / spread) +
         weighted(2 * gamma * bounds.low, (2 * bounds.low - llr + middle) / spread) -
         weighted(2 * gamma * bounds.high, (llr - 2 * bounds.high - middle) / spread);
}

/// The integral of sin(frequency * x) * exp(growth * x) over [0, end].
double integral(double frequency, double growth, double end) {
  return (std::exp(growth * end) *
              (growth * std::sin(frequency * end) - frequency * std::cos(frequency * end)) +
          frequency) /
         (growth * growth + frequency * frequency);
}

/// From the density of the motion between its bounds, as a series that soon converges when the
/// motion is wide.
double wide(const Interval& bounds, double drift, double deviation, double rounds, double llr) {
  const double width = bounds.high - bounds.low;
  const double begin = -bounds.low;
  const double end = llr - bounds.low;
  const double gamma = drift / (deviation * deviation);
  // From x the motion ends at the lower bound with probability (exp(-2 gamma x) - last) / all.
  const bool is_level = std::abs(gamma * width) < 1e-6;
  const double last = std::exp(-2 * gamma * width);
  const auto lower_share = [&](double plain, double falling, double linear) {
    return is_level ? plain - linear / width : (falling - last * plain) / (1 - last);
  };
  const double lower = lower_share(1, std::exp(-2 * gamma * begin), begin);
  double inside = 0;   // goes on below `llr`
  double to_come = 0;  // ends at the lower bound later
  for (int n = 1; n <= 60; ++n) {
    const double frequency = n * std::numbers::pi / width;
    const double decay =
        (frequency * frequency * deviation * deviation + drift * gamma) / 2 * rounds;
    const double weight =
        2 / width * std::sin(frequency * begin) * std::exp(-gamma * begin - decay);
    inside += weight * integral(frequency, gamma, end);
    const double linear = is_level ? -width * std::cos(frequency * width) / frequency : 0;
    to_come += weight * lower_share(integral(frequency, gamma, width),
                                    integral(frequency, -gamma, width), linear);
  }
  return lower - to_come + inside;
}

}  // namespace

double probability_of_worse(const Interval& bounds, double drift, double deviation, double rounds,
                            double llr) {
  const double width = bounds.high - bounds.low;
  const double steepness = drift / (deviation * deviation) * width;
  constexpr double steep = 15;  // hardly a path turns back from one bound to the other
  const bool is_narrow =
      deviation * deviation * rounds < 0.1 * width * width || std::abs(steepness) > steep;
  const double probability = is_narrow ? narrow(bounds, drift, deviation, rounds, llr)
                                       : wide(bounds, drift, deviation, rounds, llr);
  return std::clamp(probability, 0.0, 1.0);
}

std::optional<EloEstimate> sprt_corrected_estimate(const Scores& scores, const SprtPlan& plan) {
  const double variance = scores.variance();
  const auto compared = compared_scores(plan, deviation_of_game(scores));
  if (variance <= 0 || !compared) return std::nullopt;
  const Interval bounds = sprt_bounds(plan);
  const double step = compared->high - compared->low;
  const double middle = (compared->low + compared->high) / 2;
  // Of the motion: the exact ratio of a large difference would belong to another score.
  const double found =
      static_cast<double>(scores.rounds()) * (scores.mean() - middle) * step / variance;
  const double llr = std::clamp(found, bounds.low, bounds.high);
  // The last round went beyond the bound: the motion was there a part of a round before.
  const double rounds = static_cast<double>(scores.rounds()) * (llr == found ? 1 : llr / found);
  /// The score at which a worse outcome has the probability; it falls with the score.
  const auto score_at = [&](double probability) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < 50; ++i) {
      const double score = (low + high) / 2;
      const double drift = (score - middle) * step / variance;
      const double worse =
          probability_of_worse(bounds, drift, step / std::sqrt(variance), rounds, llr);
      (worse > probability ? low : high) = score;
    }
    return (low + high) / 2;
  };
  return EloEstimate{elo_of(score_at(0.5)), elo_of(score_at(0.975)), elo_of(score_at(0.025))};
}

}  // namespace pitboss::clients
