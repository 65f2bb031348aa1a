#include "clients/published/comparison.hpp"

#include <cmath>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/tally.hpp"

namespace pitboss::clients {

namespace {

constexpr double even_score = 0.5;
constexpr double margin = 0.05;  // within which two scores are called the same

/// Of a standard normal's being at least as far from 0 as `middle / error`.
double two_sided_p(double middle, double error) {
  return 2 * probability_positive(-std::abs(middle), error);
}

enum class Outcome { as_published, otherwise, undecided };

Verdict verdict_of(Outcome outcome, bool has_paper_options) {
  switch (outcome) {
    case Outcome::as_published:
      return has_paper_options ? Verdict::reproduced : Verdict::agrees;
    case Outcome::otherwise:
      return has_paper_options ? Verdict::contradicted : Verdict::open;
    case Outcome::undecided:
      break;
  }
  return Verdict::undecided;
}

Outcome outcome_of(const Interval& score, Wording published) {
  const bool is_above = score.low > even_score;
  const bool is_below = score.high < even_score;
  const bool is_little_above = score.high < even_score + margin;
  const bool is_little_below = score.low > even_score - margin;
  bool agrees = false;
  bool differs = false;
  switch (published) {
    case Wording::better:
      agrees = is_above;
      differs = is_below;
      break;
    case Wording::not_better:
      agrees = is_little_above;
      differs = is_above;
      break;
    case Wording::even:
      agrees = is_little_above && is_little_below;
      differs = is_above || is_below;
      break;
    case Wording::worse:
      agrees = is_below;
      differs = is_above;
      break;
  }
  if (agrees) return Outcome::as_published;
  return differs ? Outcome::otherwise : Outcome::undecided;
}

}  // namespace

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
          two_sided_p(middle, error)};
}

Verdict verdict_on(const Difference& difference, bool has_paper_options) {
  const auto [low, high] = difference.interval;
  Outcome outcome = Outcome::otherwise;
  if (low <= 0 && high >= 0) {
    outcome = high - low <= 2 * margin ? Outcome::as_published : Outcome::undecided;
  }
  return verdict_of(outcome, has_paper_options);
}

Verdict verdict_on(const Interval& score, Wording published, bool has_paper_options) {
  return verdict_of(outcome_of(score, published), has_paper_options);
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced:
      return "reproduced";
    case Verdict::agrees:
      return "in agreement";
    case Verdict::contradicted:
      return "contradicted";
    case Verdict::open:
      return "open";
    case Verdict::undecided:
      return "undecided";
    case Verdict::begun:
      return "begun";
    case Verdict::not_run:
      break;
  }
  return "not run";
}

}  // namespace pitboss::clients
