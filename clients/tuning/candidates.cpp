#include "clients/tuning/candidates.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

int sum_of(const Outcome& outcome) { return std::accumulate(outcome.begin(), outcome.end(), 0); }

/// The games of a candidate from one opening.
std::int64_t games_per_opening(const ComparisonSettings& settings, int candidates,
                               const Conditions& conditions) {
  return settings.rule == ComparisonSettings::Rule::tournament
             ? std::int64_t{std::max(candidates - 1, 1)} * conditions.seatings
             : games_per_sample(conditions);
}

/// Adds a candidate with these values, if there is none.
void add_distinct(std::vector<Candidate>& candidates, const Values& values, int seatings) {
  if (std::ranges::find(candidates, values, &Candidate::values) == candidates.end()) {
    candidates.push_back({values, Scores(seatings)});
  }
}

/// The distinct ones, in order.
std::vector<Candidate> without_copies(const std::vector<Values>& all, int seatings) {
  std::vector<Candidate> candidates;
  for (const Values& values : all) add_distinct(candidates, values, seatings);
  return candidates;
}

}  // namespace

double Candidate::standard_error() const {
  if (scores.rounds() == 0) return 0;
  const auto n = static_cast<double>(scores.rounds());
  return std::sqrt(scores.variance() / n + 0.25 / (n * n));
}

double corrected_quantile(double error, int tests) {
  return boost::math::quantile(boost::math::normal(),
                               std::pow(1 - error, 1.0 / std::max(tests, 1)));
}

bool is_better(const Candidate& a, const Candidate& b, double quantile) {
  return a.scores.mean() - b.scores.mean() >
         quantile * std::hypot(a.standard_error(), b.standard_error());
}

std::vector<double> alpha_rank(const Crosstable& table) {
  constexpr double population = 50;
  const int n = table.players();
  // The probability that one player takes over a population of another.
  const auto fixation = [&](int one, int others) {
    const double score = table(one, others).score();
    const double lead = score - (1 - score);
    return std::abs(lead) < 1e-9 ? 1 / population
                                 : std::expm1(-lead) / std::expm1(-population * lead);
  };
  // Balance of the flows into and out of each player; one equation is replaced by the sum.
  Eigen::MatrixXd flows = Eigen::MatrixXd::Zero(n, n);
  for (int from = 0; from < n; ++from) {
    for (int to = 0; to < n; ++to) {
      if (to == from) continue;
      flows(to, from) += fixation(to, from);
      flows(from, from) -= fixation(to, from);
    }
  }
  flows.row(n - 1).setOnes();
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(n);
  sums(n - 1) = 1;
  const Eigen::VectorXd shares = flows.fullPivLu().solve(sums);
  return {shares.begin(), shares.end()};
}

void check(const ComparisonSettings& settings, int runs, const Conditions& conditions) {
  // In a tournament the player as it was joins them.
  const int candidates = settings.rule == ComparisonSettings::Rule::tournament ? runs + 1 : runs;
  require_games("comparison_games", settings.games,
                games_per_opening(settings, candidates, conditions),
                "to meet every opponent in every seating");
}

void check(const DeviationSettings& settings, const SearchSpace& space,
           const Conditions& conditions) {
  std::int64_t candidates = 1;
  for (const auto& parameter : space) {
    // The base may have a value that is not listed.
    candidates += parameter.has_range() ? 2 : std::ssize(parameter.values);
  }
  require(settings.rounds >= 1, "deviation_rounds: expected at least 1");
  require_games("deviation_games", settings.games,
                candidates * conditions.seatings * settings.rounds,
                "to play all one-step deviations in every round");
}

FinalComparison::FinalComparison(const std::vector<Values>& candidates, Conditions conditions,
                                 const ComparisonSettings& settings)
    : conditions_(std::move(conditions)), settings_(settings), table_(0) {
  std::vector<Values> all = candidates;
  if (is_tournament()) {
    std::erase(all, conditions_.start);
    all.push_back(conditions_.start);
  }
  candidates_ = without_copies(all, conditions_.seatings);
  const int n = static_cast<int>(candidates_.size());
  table_ = Crosstable(n);
  for (int first = 0; first < n; ++first) {
    if (is_tournament()) {
      for (int second = first + 1; second < n; ++second) meetings_.push_back({first, second});
    } else {
      for (int i = 0; i < opponents_of(conditions_); ++i) meetings_.push_back({first, i});
    }
  }
  openings_ = settings.games / games_per_opening(settings, n, conditions_);
}

std::optional<Proposal> FinalComparison::propose() {
  const std::int64_t meetings = std::ssize(meetings_);
  if (candidates_.size() < 2 || made_ == openings_ * meetings) return std::nullopt;
  const Meeting meeting = meetings_[made_ % meetings];
  const auto opening = static_cast<int>(made_++ / meetings);
  return all_seatings(candidates_[meeting.first].values,
                      is_tournament() ? candidates_[meeting.second].values
                                      : opponent_in(conditions_, meeting.second),
                      opening, conditions_.seatings);
}

void FinalComparison::learn(const Outcome& outcome) {
  const Meeting meeting = meetings_[learned_++ % std::ssize(meetings_)];
  const int points = sum_of(outcome);
  candidates_[meeting.first].scores.add(points);
  if (!is_tournament()) return;
  candidates_[meeting.second].scores.add(whole_point * conditions_.seatings - points);
  Tally tally;
  for (const int twelfths : outcome) tally.add(twelfths);
  table_.add(meeting.first, meeting.second, tally);
}

int FinalComparison::best() const {
  if (!is_tournament()) {
    const auto best = std::ranges::max_element(candidates_, {},
                                               [](const Candidate& c) { return c.scores.mean(); });
    return static_cast<int>(best - candidates_.begin());
  }
  const auto shares = alpha_rank(table_);
  const auto first = static_cast<int>(std::ranges::max_element(shares) - shares.begin());
  const int start = static_cast<int>(candidates_.size()) - 1;
  const bool leads =
      is_better(candidates_[first], candidates_[start], corrected_quantile(0.2, start));
  return leads ? first : start;
}

std::vector<Values> FinalComparison::recommended() const { return {candidates_[best()].values}; }

std::vector<std::string> FinalComparison::remarks() const {
  if (!is_tournament() || candidates_[best()].values != conditions_.start) return {};
  return {"No candidate beat the options before tuning by more than chance explains; they stay."};
}

OneStepDeviations::OneStepDeviations(const SearchSpace& space, const Values& base,
                                     Conditions conditions, const DeviationSettings& settings)
    : conditions_(std::move(conditions)),
      games_left_(settings.games),
      rounds_left_(settings.rounds) {
  std::vector<Values> all{base};
  for (std::size_t i = 0; i < space.size(); ++i) {
    const auto add = [&](const std::string& value) {
      all.push_back(base);
      all.back()[i] = value;
    };
    if (!space[i].has_range()) {
      std::ranges::for_each(space[i].values, add);
      continue;
    }
    const Range& range = space[i].range;
    const double at = range.coordinate_of(*number_in<double>(base[i]));
    for (const double step : {-range.step_in_coordinates(), range.step_in_coordinates()}) {
      add(range.text_at(at + step));
    }
  }
  candidates_ = without_copies(all, conditions_.seatings);
  begin_round();
}

int OneStepDeviations::alive() const {
  return static_cast<int>(std::ranges::count(candidates_, false, &Candidate::is_dropped));
}

void OneStepDeviations::begin_round() {
  tasks_.clear();
  made_ = learned_ = 0;
  const int players = alive() - (plays_against_base() ? 1 : 0);
  if (rounds_left_ == 0 || alive() < 2) return;
  const std::int64_t per_opening = std::int64_t{players} * conditions_.seatings;
  const std::int64_t openings = games_left_ / (rounds_left_ * per_opening);
  --rounds_left_;
  games_left_ -= openings * per_opening;
  for (std::int64_t i = 0; i < openings; ++i, ++next_opening_) {
    for (int c = plays_against_base() ? 1 : 0; c < static_cast<int>(candidates_.size()); ++c) {
      if (!candidates_[c].is_dropped) tasks_.push_back({c, next_opening_});
    }
  }
}

std::optional<Proposal> OneStepDeviations::propose() {
  if (made_ == tasks_.size()) return std::nullopt;
  const Task task = tasks_[made_++];
  const auto second = plays_against_base()
                          ? std::variant<Values, int>(candidates_.front().values)
                          : std::variant<Values, int>(task.opening % conditions_.opponents);
  return all_seatings(candidates_[task.candidate].values, second, task.opening,
                      conditions_.seatings);
}

void OneStepDeviations::learn(const Outcome& outcome) {
  candidates_[tasks_[learned_++].candidate].scores.add(sum_of(outcome));
  if (learned_ == tasks_.size()) end_round();
}

void OneStepDeviations::end_round() {
  const auto most = std::ranges::max(candidates_, {}, [](const Candidate& c) {
                      return c.scores.rounds();
                    }).scores.rounds();
  const Candidate* best = &candidates_.front();
  for (const Candidate& c : candidates_) {
    const bool is_robust = !c.is_dropped && 2 * c.scores.rounds() >= most;
    if (is_robust && c.scores.mean() > best->scores.mean()) best = &c;
  }
  const double quantile = corrected_quantile(0.01, alive() - 1);
  for (std::size_t i = 1; i < candidates_.size(); ++i) {
    candidates_[i].is_dropped |= is_better(*best, candidates_[i], quantile);
  }
  combine();
  begin_round();
}

void OneStepDeviations::combine() {
  const Values base = candidates_.front().values;
  const double quantile = corrected_quantile(0.1, alive() - 1);
  std::vector<Values> better;
  for (const Candidate& c : candidates_) {
    if (!c.is_dropped && is_better(c, candidates_.front(), quantile)) better.push_back(c.values);
  }
  for (std::size_t one = 0; one < better.size(); ++one) {
    for (std::size_t other = one + 1; other < better.size(); ++other) {
      Values both = better[one];
      bool is_compatible = true;
      for (std::size_t i = 0; i < base.size(); ++i) {
        if (better[other][i] == base[i]) continue;
        is_compatible &= both[i] == base[i];
        both[i] = better[other][i];
      }
      if (is_compatible) add_distinct(candidates_, both, conditions_.seatings);
    }
  }
}

std::vector<Values> OneStepDeviations::recommended() const {
  const double quantile = corrected_quantile(0.05, alive() - 1);
  const Candidate* best = &candidates_.front();
  double highest = 0;
  for (const Candidate& c : candidates_) {
    if (c.is_dropped || c.scores.rounds() == 0) continue;
    const double low = c.scores.mean() - quantile * c.standard_error();
    if (!is_better(c, candidates_.front(), quantile) || low <= highest) continue;
    best = &c;
    highest = low;
  }
  return {best->values};
}

std::vector<std::string> OneStepDeviations::remarks() const {
  if (recommended().front() != candidates_.front().values) return {};
  return {"No change of one parameter is a significant improvement."};
}

}  // namespace pitboss::clients
