#include "clients/tuning/race.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/tuning/candidates.hpp"
#include "clients/tuning/gaussian_process.hpp"

namespace pitboss::clients {

namespace {

/// The games of a candidate in the first round, and whenever it is taken later.
constexpr int games_of_design = 4;
constexpr int games_of_visit = 8;
constexpr int visits = 8;                // of a round
constexpr double optimism = 3.0;         // standard deviations
constexpr double caution = 1.0;          // of the answer's lead
constexpr double error_of_tests = 0.05;  // of a round together
constexpr double variance_of_game = 0.25;

int samples_of(int games, const Conditions& conditions) {
  const int each = games_per_sample(conditions);
  return std::max(1, (games + each - 1) / each);
}

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// Whether leads from as many openings are above 0.
bool are_above_zero(const std::vector<double>& leads, double quantile) {
  if (leads.size() < 2) return false;
  const double mean = mean_of(leads);
  double squares = 1;  // as if one more had differed by a whole point a game
  for (const double lead : leads) squares += (lead - mean) * (lead - mean);
  const auto n = static_cast<double>(leads.size());
  return mean > quantile * std::sqrt(squares / (n * (n - 1)));
}

/// The first points' highest upper bound.
std::size_t highest_bound(const Beliefs& beliefs, std::size_t among) {
  std::size_t best = 0;
  double highest = 0;
  for (std::size_t i = 0; i < among; ++i) {
    const int at = static_cast<int>(i);
    const double bound = beliefs.mean(at) + optimism * std::sqrt(beliefs.variance(at));
    if (i > 0 && bound <= highest) continue;
    highest = bound;
    best = i;
  }
  return best;
}

}  // namespace

int candidates_of_design(const SearchSpace& space, const RaceSettings& settings) {
  constexpr int least = 6;
  constexpr int for_each = 6;
  return least + for_each * static_cast<int>(space.size()) +
         static_cast<int>(settings.answers.size()) + (settings.control ? 2 : 1);
}

Race::Race(SearchSpace space, Conditions conditions, RaceSettings settings)
    : space_(std::move(space)), conditions_(std::move(conditions)), settings_(std::move(settings)) {
  likeness_ = {.lengths = std::vector<double>(space_.space().size(), 0.4),
               .are_words = space_.are_words()};
  check_start(space_.space(), conditions_.start);
  require_games("games", settings_.games, games_per_sample(conditions_),
                "to meet every opponent in every seating");
  enter(conditions_.start, true);
  if (settings_.control) enter(*settings_.control, true);
  for (const Values& answer : settings_.answers) enter(answer, false);
}

bool Race::plays(const Racer& racer) const {
  return conditions_.opponents > 0 || &racer != racers_.data();
}

bool Race::is_spent() const {
  return static_cast<std::int64_t>(made_ + 1) * games_per_sample(conditions_) > settings_.games;
}

/// The candidate with these values, a new one if there is none.
std::size_t Race::enter(const Values& values, bool stays) {
  const auto [found, is_new] = known_.try_emplace(values, racers_.size());
  if (is_new) racers_.push_back({.values = values, .at = space_.point_of(values), .stays = stays});
  return found->second;
}

void Race::begin(std::size_t racer, int samples) {
  for (int i = 0; i < samples; ++i) tasks_.push_back({racer, racers_[racer].begun++});
}

void Race::begin_design() {
  auto random = random_of(conditions_, 0);
  const UnitPoint shift = space_.random(random);
  const auto wanted = static_cast<std::size_t>(candidates_of_design(space_.space(), settings_));
  // Small spaces have fewer.
  for (int i = 0; racers_.size() < wanted && i < 50 * static_cast<int>(wanted); ++i) {
    enter(space_.values_at(space_.even(i, shift)), false);
  }
  // All from the first opening, then all from the second.
  for (int sample = 0; sample < samples_of(games_of_design, conditions_); ++sample) {
    for (std::size_t racer = 0; racer < racers_.size(); ++racer) {
      if (plays(racers_[racer])) begin(racer, 1);
    }
  }
  design_ = tasks_.size();
}

std::vector<Observation> Race::observations() const {
  // Noise is that of all candidates together, since a few samples tell little of it.
  double squares = variance_of_game;
  double count = 1;
  for (const Racer& racer : racers_) {
    const double mean = mean_of(racer.scores);
    for (const double score : racer.scores) squares += (score - mean) * (score - mean);
    if (!racer.scores.empty()) count += static_cast<double>(racer.scores.size()) - 1;
  }
  const double noise = squares / count;
  std::vector<Observation> out;
  if (!plays(racers_[0])) out.push_back({racers_[0].at, 0.5, 1e-6});
  for (const Racer& racer : racers_) {
    if (racer.scores.empty()) continue;
    const auto n = static_cast<double>(racer.scores.size());
    out.push_back({racer.at, mean_of(racer.scores), noise / n});
  }
  return out;
}

std::vector<UnitPoint> Race::new_points(games::Random& random) const {
  constexpr int anywhere = 300;
  constexpr int near = 200;
  constexpr std::size_t best = 5;
  std::vector<const Racer*> order;
  for (const Racer& racer : racers_) {
    if (!racer.is_out && !racer.scores.empty()) order.push_back(&racer);
  }
  std::ranges::stable_sort(order, std::greater(), [](const Racer* racer) {
    const auto n = static_cast<double>(racer->scores.size());
    return (mean_of(racer->scores) * n + 0.5) / (n + 1);
  });
  order.resize(std::min(order.size(), best));
  order.push_back(&racers_[leader_]);
  std::vector<UnitPoint> out;
  std::set<Values> seen;
  const auto add = [&](const UnitPoint& point) {
    Values values = space_.values_at(point);
    if (!known_.contains(values) && seen.insert(values).second) {
      out.push_back(space_.point_of(values));
    }
  };
  for (int i = 0; i < anywhere; ++i) add(space_.random(random));
  for (int i = 0; i < near; ++i) {
    const Racer* const from = order[static_cast<std::size_t>(i) % order.size()];
    add(space_.random_near(from->at, i % 2 == 0 ? 0.12 : 0.04, random));
  }
  return out;
}

/// Finds the leader.
void Race::look() {
  leader_ = 0;
  lead_ = {0, 0};
  if (learned_ == 0) return;
  std::vector<UnitPoint> points;
  for (const Racer& racer : racers_) points.push_back(racer.at);
  const auto known = observations();
  if (fitted_ == 0 || 5 * learned_ > 6 * fitted_) {
    likeness_ = fitted(likeness_, known);
    fitted_ = learned_;
  }
  const Beliefs beliefs(likeness_, known, std::move(points));
  double highest = 0;
  for (std::size_t i = 1; i < racers_.size(); ++i) {
    if (racers_[i].is_out || racers_[i].scores.empty()) continue;
    const int at = static_cast<int>(i);
    const double variance =
        beliefs.variance(at) + beliefs.variance(0) - 2 * beliefs.covariance(at, 0);
    const Lead lead{beliefs.mean(at) - beliefs.mean(0), std::sqrt(std::max(variance, 0.0))};
    const double low = lead.mean - caution * lead.deviation;
    if (low <= highest) continue;
    highest = low;
    leader_ = i;
    lead_ = lead;
  }
}

/// The score of one candidate less that of another, from the openings that both had.
std::vector<double> Race::leads(const Racer& one, const Racer& other) const {
  const auto score = [&](const Racer& of, std::size_t i) { return plays(of) ? of.scores[i] : 0.5; };
  std::size_t n = std::numeric_limits<std::size_t>::max();
  if (plays(one)) n = one.scores.size();
  if (plays(other)) n = std::min(n, other.scores.size());
  std::vector<double> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(score(one, i) - score(other, i));
  return out;
}

void Race::drop_beaten() {
  const auto alive = std::ranges::count(racers_, false, &Racer::is_out);
  const double quantile = corrected_quantile(error_of_tests, static_cast<int>(alive) - 1);
  for (std::size_t i = 0; i < racers_.size(); ++i) {
    if (i == leader_ || racers_[i].stays || racers_[i].is_out) continue;
    racers_[i].is_out = are_above_zero(leads(racers_[leader_], racers_[i]), quantile);
  }
}

/// Whether all others are beaten, also those that stay.
bool Race::is_separated() const {
  const double quantile = corrected_quantile(error_of_tests, 1);
  return std::ranges::all_of(racers_, [&](const Racer& racer) {
    return &racer == &racers_[leader_] || racer.is_out ||
           (racer.stays && are_above_zero(leads(racers_[leader_], racer), quantile));
  });
}

void Race::begin_round() {
  look();
  drop_beaten();
  auto random = random_of(conditions_, static_cast<std::int64_t>(made_) + 1);
  const std::vector<UnitPoint> fresh = new_points(random);
  if (fresh.empty() && is_separated()) return;
  const int samples = samples_of(games_of_visit, conditions_);
  int left = visits;
  // Those that stay keep up with the leader: who is to be compared needs games, too.
  for (std::size_t i = 0; i < racers_.size(); ++i) {
    const Racer& racer = racers_[i];
    if (!racer.stays || !plays(racer) || i == leader_) continue;
    const int enough = i == 0 ? racers_[leader_].begun : racers_[leader_].begun / 2;
    if (racer.begun >= enough) continue;
    begin(i, samples);
    --left;
  }
  std::vector<UnitPoint> points;
  std::vector<std::size_t> alive;
  for (std::size_t i = 1; i < racers_.size(); ++i) {
    if (racers_[i].is_out) continue;
    alive.push_back(i);
    points.push_back(racers_[i].at);
  }
  points.insert(points.end(), fresh.begin(), fresh.end());
  Beliefs beliefs(likeness_, observations(), points);
  const double noise = variance_of_game / (games_per_sample(conditions_) * samples);
  for (; left > 0 && !points.empty(); --left) {
    // Every other time one of those that have played.
    const std::size_t among = left % 2 == 1 || alive.empty() ? points.size() : alive.size();
    const std::size_t best = highest_bound(beliefs, among);
    beliefs.expect(static_cast<int>(best), noise);
    if (best < alive.size()) {
      begin(alive[best], samples);
    } else {
      begin(enter(space_.values_at(points[best]), false), samples);
    }
  }
}

std::optional<Proposal> Race::propose() {
  if (is_spent()) return std::nullopt;
  if (made_ == tasks_.size()) {
    if (made_ == 0) {
      begin_design();
    } else {
      begin_round();
    }
  }
  if (made_ == tasks_.size()) return std::nullopt;
  const Task task = tasks_[made_++];
  return sample_of(racers_[task.racer].values, conditions_, task.sample);
}

void Race::learn(const Outcome& outcome) {
  racers_[tasks_[learned_++].racer].scores.push_back(score_of(outcome));
  if (is_spent() && learned_ == made_) look();
}

std::vector<Values> Race::recommended() const { return {racers_[leader_].values}; }

std::vector<std::string> Race::remarks() const {
  std::vector<std::string> remarks;
  if (learned_ < design_) {
    remarks.push_back("The games ended before all " + std::to_string(racers_.size()) +
                      " candidates of the first round had theirs: give it more.");
  }
  if (leader_ == 0) {
    remarks.emplace_back(
        "No candidate beat the options before tuning by more than chance explains; they stay.");
    return remarks;
  }
  char text[200];
  const double z = corrected_quantile(0.025, 1);
  std::snprintf(
      text, sizeof text,
      "By the race's own games the answer scores %.1f %% [%.1f, %.1f] more than the options "
      "before tuning; the fresh match tells.",
      100 * lead_.mean, 100 * (lead_.mean - z * lead_.deviation),
      100 * (lead_.mean + z * lead_.deviation));
  remarks.emplace_back(text);
  for (int i = 0; i < space_.size(); ++i) {
    const std::string edge = space_.edge_of(racers_[leader_].values, i);
    if (edge.empty()) continue;
    remarks.push_back(space_.space()[i].name + " stands at its " + edge + " bound, " +
                      racers_[leader_].values[i] + ": the best may lie beyond it.");
  }
  return remarks;
}

}  // namespace pitboss::clients
