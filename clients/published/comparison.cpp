#include "clients/published/comparison.hpp"

#include <cmath>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/tally.hpp"

namespace pitboss::clients {

Estimate estimate_of(const Scores& rounds) {
  Scores more = rounds;
  more.add(0);
  more.add(whole_point * rounds.games_per_round());
  return {rounds.mean(), more.mean(), more.variance() / static_cast<double>(more.rounds())};
}

Estimate estimate_of(double score, int games) {
  const double more = games + 2;
  const double mean = (score * games + 1) / more;
  return {score, mean, mean * (1 - mean) / more};
}

Difference difference(const Estimate& one, const Estimate& other, double normal) {
  const double middle = one.mean - other.mean;
  const double error = std::sqrt(one.variance + other.variance);
  const double half_width = normal * error;
  return {one.score - other.score,
          {middle - half_width, middle + half_width},
          probability_positive(-middle, error)};
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
    case Verdict::begun:
      return "begun";
    case Verdict::not_run:
      break;
  }
  return "not run";
}

}  // namespace pitboss::clients
