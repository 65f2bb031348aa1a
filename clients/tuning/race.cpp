#include "clients/tuning/race.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
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
constexpr int visits = 8;  // of a round
constexpr double optimism = 1.5;    // standard deviations
constexpr double caution = 1.0;     // of the answer's lead
constexpr double error_of_round = 0.05;  // of a round's tests together
constexpr double variance_of_game = 0.25;

int samples_of(int games, const Conditions& conditions) {
  const int each = games_per_sample(conditions);
  return std::max(1, (games + each - 1) / each);
}

double mean_of(const std::vector<double>& numbers, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += numbers[i];
  return sum / static_cast<double>(count);
}

/// Whether the scores of `one` are higher from the openings that both had.
bool beats(const std::vector<double>& one, const std::vector<double>& other, double quantile) {
  const std::size_t n = std::min(one.size(), other.size());
  if (n < 2) return false;
  std::vector<double> leads;
  for (std::size_t i = 0; i < n; ++i) leads.push_back(one[i] - other[i]);
  const double mean = mean_of(leads, n);
  double squares = 1;  // as if one more had differed by a whole point a game
  for (const double lead : leads) squares += (lead - mean) * (lead - mean);
  const auto count = static_cast<double>(n);
  return mean > quantile * std::sqrt(squares / (count * (count - 1)));
}

}  // namespace

int candidates_of_design(const SearchSpace& space, const RaceSettings& settings) {
  constexpr int least = 6;
  constexpr int for_each = 6;
  return least + for_each * static_cast<int>(space.size()) +
         static_cast<int>(settings.answers.size()) + (settings.control ? 2 : 1);
}

Race::Race(SearchSpace space, Conditions conditions, const RaceSettings& settings)
    : space_(std::move(space)), conditions_(std::move(conditions)), settings_(settings) {
  likeness_ = {.lengths = std::vector<double>(space_.space().size(), 0.4),
               .are_words = space_.are_words()};
  require_games("games", settings_.games, games_per_sample(conditions_),
                "to meet every opponent in every seating");
  enter(conditions_.start, true);
  if (settings_.control) enter(*settings_.control, true);
  for (const Values& answer : settings_.answers) enter(answer, false);
}

bool Race::is_spent() const {
  return static_cast<std::int64_t>(made_ + 1) * games_per_sample(conditions_) > settings_.games;
}

/// Adds a candidate, unless there is one with these values.
bool Race::enter(Values values, bool stays) {
  if (!known_.insert(values).second) return false;
  UnitPoint at = space_.point_of(values);
  racers_.push_back({.values = std::move(values), .at = std::move(at), .stays = stays});
  return true;
}

void Race::begin(std::size_t racer, int samples) {
  for (int i = 0; i < samples; ++i) tasks_.push_back({racer, racers_[racer].begun++});
}

void Race::begin_design() {
  auto random = random_of(conditions_, 0);
  const UnitPoint shift = space_.random(random);
  const auto wanted =
      static_cast<std::size_t>(candidates_of_design(space_.space(), settings_));
  // Small spaces have fewer.
  for (int i = 0; racers_.size() < wanted && i < 50 * static_cast<int>(wanted); ++i) {
    enter(space_.values_at(space_.even(i, shift)), false);
  }
  for (int sample = 0; sample < samples_of(games_of_design, conditions_); ++sample) {
    for (std::size_t racer = is_self_play() ? 1 : 0; racer < racers_.size(); ++racer) {
      begin(racer, 1);
    }
  }
}

std::vector<Observation> Race::observations() const {
  // Noise is that of all candidates together, since a few samples tell little of it.
  double squares = variance_of_game;
  double count = 1;
  for (const Racer& racer : racers_) {
    const double mean = mean_of(racer.scores, racer.scores.size());
    for (const double score : racer.scores) squares += (score - mean) * (score - mean);
    if (!racer.scores.empty()) count += static_cast<double>(racer.scores.size()) - 1;
  }
  const double noise = squares / count;
  std::vector<Observation> out;
  if (is_self_play()) out.push_back({racers_[0].at, 0.5, 1e-6});
  for (const Racer& racer : racers_) {
    if (racer.scores.empty()) continue;
    const auto n = static_cast<double>(racer.scores.size());
    out.push_back({racer.at, mean_of(racer.scores, racer.scores.size()), noise / n});
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
    return (mean_of(racer->scores, racer->scores.size()) * n + 0.5) / (n + 1);
  });
  order.resize(std::min(order.size(), best));
  order.push_back(&racers_[leader_]);
  std::vector<UnitPoint> out;
  std::set<Values> seen = known_;
  const auto add = [&](const UnitPoint& point) {
    Values values = space_.values_at(point);
    if (seen.insert(values).second) out.push_back(space_.point_of(values));
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

void Race::drop_beaten() {
  const auto alive = std::ranges::count(racers_, false, &Racer::is_out);
  const double quantile = corrected_quantile(error_of_round, static_cast<int>(alive) - 1);
  for (std::size_t i = 0; i < racers_.size(); ++i) {
    if (i == leader_ || racers_[i].stays) continue;
    racers_[i].is_out |= beats(racers_[leader_].scores, racers_[i].scores, quantile);
  }
}

void Race::begin_round() {
  look();
  drop_beaten();
  const int samples = samples_of(games_of_visit, conditions_);
  int left = visits;
  // Those that stay keep up with the leader: who is to be compared needs games, too.
  for (std::size_t i = is_self_play() ? 1 : 0; i < racers_.size(); ++i) {
    if (!racers_[i].stays || i == leader_) continue;
    const int enough = i == 0 ? racers_[leader_].begun : racers_[leader_].begun / 2;
    if (racers_[i].begun >= enough) continue;
    begin(i, samples);
    --left;
  }
  auto random = random_of(conditions_, static_cast<std::int64_t>(made_) + 1);
  const std::vector<UnitPoint> fresh = new_points(random);
  std::vector<UnitPoint> points;
  std::vector<std::size_t> alive;
  for (std::size_t i = 1; i < racers_.size(); ++i) {
    if (racers_[i].is_out) continue;
    alive.push_back(i);
    points.push_back(racers_[i].at);
  }
  points.insert(points.end(), fresh.begin(), fresh.end());
  if (points.empty()) return;
  const auto known = observations();
  Beliefs beliefs(likeness_, known, points);
  const double noise = variance_of_game / games_per_sample(conditions_) / samples;
  for (; left > 0; --left) {
    const bool may_be_new = left % 2 == 1 || alive.empty();
    const std::size_t count = may_be_new ? points.size() : alive.size();
    std::size_t best = 0;
    double highest = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int at = static_cast<int>(i);
      const double bound = beliefs.mean(at) + optimism * std::sqrt(beliefs.variance(at));
      if (i > 0 && bound <= highest) continue;
      highest = bound;
      best = i;
    }
    beliefs.expect(static_cast<int>(best), noise);
    if (best < alive.size()) {
      begin(alive[best], samples);
      continue;
    }
    const Values values = space_.values_at(points[best]);
    enter(values, false);
    const auto racer = std::ranges::find(racers_, values, &Racer::values) - racers_.begin();
    begin(static_cast<std::size_t>(racer), samples);
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
  if (leader_ == 0) {
    return {"No candidate beat the options before tuning by more than chance explains; they stay."};
  }
  std::vector<std::string> remarks;
  return remarks;
}

}  // namespace pitboss::clients
