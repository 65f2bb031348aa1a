#include "clients/published/comparison.hpp"

#include <cmath>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

Estimate estimate_of(const Scores& rounds) {
  const double error = rounds.standard_error();
  return {rounds.mean(), error * error};
}

Estimate estimate_of(double score, int games) { return {score, score * (1 - score) / games}; }

Difference difference(const Estimate& one, const Estimate& other) {
  const double value = one.score - other.score;
  const double error = std::sqrt(one.variance + other.variance);
  const double half_width = exact_normal_95 * error;
  const double p = error > 0 ? probability_positive(-value, error) : value > 0 ? 0 : 1;
  return {value, {value - half_width, value + half_width}, p};
}

Verdict verdict_on(const Difference& difference, bool has_paper_options) {
  if (difference.interval.low <= 0 && difference.interval.high >= 0) return Verdict::reproduced;
  return has_paper_options ? Verdict::contradicted : Verdict::open;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::contradicted:
      return "contradicted";
    case Verdict::open:
      return "open";
    case Verdict::not_run:
      break;
  }
  return "not run";
}

}  // namespace pitboss::clients
