#include "clients/experiments/statistics/sprt.hpp"

#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

namespace {

constexpr double most_elo = 200.0;

/// Parallel lists: the possible scores of a round, and their probabilities.
struct Distribution {
  std::vector<double> scores;
  std::vector<double> shares;
};

struct Moments {
  double mean;
  double deviation;
};

Moments moments(const std::vector<double>& values, const std::vector<double>& shares) {
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += shares[i] * values[i];
  for (std::size_t i = 0; i < values.size(); ++i) {
    square += shares[i] * (values[i] - mean) * (values[i] - mean);
  }
  return {mean, std::sqrt(square)};
}

/// The most likely shares, given the seen ones, under which the mean of `values` is 0: each seen
/// share divided by 1 + theta * value. `values` must have both signs.
std::vector<double> with_mean_zero(const std::vector<double>& values,
                                   const std::vector<double>& seen) {
  const auto mean_under = [&](double theta) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      sum += seen[i] * values[i] / (1 + theta * values[i]);
    }
    return sum;
  };
  // A share of at most 1 bounds theta away from the poles.
  const auto [least, most] = std::ranges::minmax_element(values);
  const double low = -(1 - seen[most - values.begin()]) / *most;
  const double high = -(1 - seen[least - values.begin()]) / *least;
  const double at_low = mean_under(low);
  const double at_high = mean_under(high);
  double theta = at_low <= 0 ? low : high;
  if (at_low > 0 && at_high < 0) {
    std::uintmax_t rounds = 200;
    const boost::math::tools::eps_tolerance<double> tolerance(52);
    const auto [below, above] = boost::math::tools::toms748_solve(mean_under, low, high, at_low,
                                                                  at_high, tolerance, rounds);
    theta = (below + above) / 2;
  }
  std::vector<double> shares = seen;
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] /= 1 + theta * values[i];
  return shares;
}

/// The most likely shares with the expected score `score`.
std::vector<double> with_expectation(const Distribution& seen, double score) {
  std::vector<double> values = seen.scores;
  for (double& value : values) value -= score;
  return with_mean_zero(values, seen.shares);
}

/// Equal shares, pulled to the best score (t > 0) or the worst until their expectation is at least
/// `t` standard deviations on that side of 1/2.
std::vector<double> beyond_t_value(const std::vector<double>& scores, double t) {
  std::vector<double> shares(scores.size(), 1.0 / static_cast<double>(scores.size()));
  for (;;) {
    const auto [mean, deviation] = moments(scores, shares);
    if ((mean - 0.5) * t >= t * t * deviation) return shares;
    for (double& share : shares) share /= 2;
    (t > 0 ? shares.back() : shares.front()) += 0.5;
  }
}

/// The most likely shares whose expectation is `t` standard deviations above 1/2. The condition is
/// linearised around the last estimate until the shares converge. The deviation is a concave
/// function of the shares: so every estimate, like the first, is beyond t, and the next condition
/// can be met.
std::vector<double> with_t_value(const Distribution& seen, double t) {
  std::vector<double> shares = beyond_t_value(seen.scores, t);
  std::vector<double> values(seen.scores.size());
  constexpr int most_rounds = 200;
  for (int round = 0; round < most_rounds; ++round) {
    const auto [mean, deviation] = moments(seen.scores, shares);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double distance = (seen.scores[i] - mean) / deviation;
      values[i] = seen.scores[i] - 0.5 - t * deviation * (1 + distance * distance) / 2;
    }
    std::vector<double> next = with_mean_zero(values, seen.shares);
    double change = 0;
    for (std::size_t i = 0; i < next.size(); ++i) {
      change = std::max(change, std::abs(next[i] - shares[i]));
    }
    shares = std::move(next);
    if (change < 1e-10) break;
  }
  return shares;
}

/// The BayesElo model's probability of a win.
double bayes_win(double elo, double draw_elo) { return score_of(elo - draw_elo); }
double bayes_score(double elo, double draw_elo) {
  return (1 + bayes_win(elo, draw_elo) - bayes_win(-elo, draw_elo)) / 2;
}
/// The draw parameter under which these shares of wins and losses are expected.
double draw_elo_of(double wins, double losses) {
  return elo_scale / 2 * std::log((1 - losses) / losses * (1 - wins) / wins);
}

/// The rounds of a class, for an unseen class a thousandth.
double weight(const ScoreClass& of) {
  constexpr double unseen = 1e-3;
  return of.rounds == 0 ? unseen : static_cast<double>(of.rounds);
}

/// In the order of their values.
constexpr std::array<std::string_view, 3> model_names{"normalized", "logistic", "bayesian"};

}  // namespace

std::string_view name_of(EloModel model) { return model_names[static_cast<std::size_t>(model)]; }

std::optional<EloModel> elo_model_named(std::string_view name) {
  for (std::size_t i = 0; i < model_names.size(); ++i) {
    if (model_names[i] == name) return static_cast<EloModel>(i);
  }
  return std::nullopt;
}

void check(const SprtPlan& plan, int games_per_round) {
  const auto is_elo = [](double elo) { return std::abs(elo) <= most_elo; };
  if (!is_elo(plan.elo0) || !is_elo(plan.elo1) || plan.elo0 >= plan.elo1) {
    throw std::invalid_argument("elo0 must be below elo1, and both between -200 and 200");
  }
  const auto is_risk = [](double risk) { return risk > 0.0 && risk < 0.5; };
  if (!is_risk(plan.alpha) || !is_risk(plan.beta)) {
    throw std::invalid_argument("alpha and beta must be above 0 and below 0.5");
  }
  if (plan.model == EloModel::bayesian && games_per_round != 1) {
    throw std::invalid_argument("the bayesian model is for single games, not for rounds");
  }
}

Interval sprt_bounds(const SprtPlan& plan) {
  return {std::log(plan.beta / (1 - plan.alpha)), std::log((1 - plan.beta) / plan.alpha)};
}

std::optional<Interval> compared_scores(const SprtPlan& plan, double deviation_of_game) {
  switch (plan.model) {
    case EloModel::logistic:
      return Interval{score_of(plan.elo0), score_of(plan.elo1)};
    case EloModel::normalized: {
      const auto score = [&](double elo) {
        return 0.5 + elo / (2 * elo_scale) * deviation_of_game;
      };
      return Interval{score(plan.elo0), score(plan.elo1)};
    }
    case EloModel::bayesian:
      break;
  }
  return std::nullopt;
}

std::vector<double> most_likely_shares(const Scores& scores, double elo, EloModel model) {
  Distribution seen;
  double rounds = 0;
  for (const ScoreClass& c : scores.classes()) rounds += weight(c);
  for (const ScoreClass& c : scores.classes()) {
    seen.scores.push_back(scores.score(c));
    seen.shares.push_back(weight(c) / rounds);
  }
  switch (model) {
    case EloModel::normalized:
      return with_t_value(seen, std::sqrt(scores.games_per_round()) * elo / (2 * elo_scale));
    case EloModel::logistic:
      return with_expectation(seen, score_of(elo));
    case EloModel::bayesian:
      break;
  }
  const double draw_elo = draw_elo_of(seen.shares.back(), seen.shares.front());
  return with_expectation(seen, bayes_score(elo, draw_elo));
}

double log_likelihood_ratio(const Scores& scores, const SprtPlan& plan) {
  check(plan, scores.games_per_round());
  if (scores.rounds() == 0) return 0.0;
  const std::vector<double> shares0 = most_likely_shares(scores, plan.elo0, plan.model);
  const std::vector<double> shares1 = most_likely_shares(scores, plan.elo1, plan.model);
  double ratio = 0;
  for (std::size_t i = 0; i < shares0.size(); ++i) {
    ratio += weight(scores.classes()[i]) * std::log(shares1[i] / shares0[i]);
  }
  return ratio;
}

SprtVerdict sprt_verdict(double log_likelihood_ratio, const SprtPlan& plan) {
  const Interval bounds = sprt_bounds(plan);
  if (log_likelihood_ratio <= bounds.low) return SprtVerdict::accept_elo0;
  return log_likelihood_ratio >= bounds.high ? SprtVerdict::accept_elo1 : SprtVerdict::undecided;
}

}  // namespace pitboss::clients
