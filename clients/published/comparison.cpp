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

namespace {

constexpr double even_score = 0.5;

Verdict verdict_if(bool agrees, bool has_paper_options) {
  if (agrees) return Verdict::reproduced;
  return has_paper_options ? Verdict::contradicted : Verdict::open;
}

bool agrees(const Interval& score, Wording published) {
  switch (published) {
    case Wording::better:
      return score.low > even_score;
    case Wording::not_better:
      return score.low <= even_score;
    case Wording::even:
      return score.low <= even_score && score.high >= even_score;
    case Wording::worse:
      break;
  }
  return score.high < even_score;
}

}  // namespace

Verdict verdict_on(const Difference& difference, bool has_paper_options) {
  return verdict_if(difference.interval.low <= 0 && difference.interval.high >= 0,
                    has_paper_options);
}

Verdict verdict_on(const Interval& score, Wording published, bool has_paper_options) {
  return verdict_if(agrees(score, published), has_paper_options);
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
