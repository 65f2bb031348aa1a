#include "clients/tuning/spsa.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/non_central_chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdio>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

constexpr double k = 2 * elo_scale;
constexpr double confidence = 0.95;
constexpr double time_constants = 3;

double chi_square(int parameters) {
  return boost::math::quantile(boost::math::chi_squared(parameters), confidence);
}

double noise_of(const SpsaSettings& s) {
  return 1 - s.draw_ratio - 4 * s.opening_bias * s.opening_bias;
}

void check(const SpsaSettings& s, const SearchSpace& space) {
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  require(positive(s.precision), "precision: expected a number of Elo above 0");
  require(positive(s.loss_at_half_range), "loss_at_half_range: expected a number of Elo above 0");
  require(s.draw_ratio >= 0 && s.draw_ratio < 1, "draw_ratio: expected at least 0 and less than 1");
  require(s.opening_bias >= 0 && noise_of(s) > 0,
          "opening_bias: expected at least 0, and so little that 1 - draw_ratio - 4 opening_bias^2 "
          "is above 0");
  for (const TunedParameter& parameter : space) {
    require(parameter.has_range(),
            parameter.name +
                ": spsa needs a range { min = ..., max = ... }; values without an "
                "order are for n-tuple");
  }
}

/// The loss of points whose distance to the best is left by `bias` of the start's, with a variance
/// of `spread` of the stationary one.
EloLoss loss_of(const SpsaSettings& s, int n, double start, double bias, double spread) {
  const double unit = s.precision / chi_square(n) * spread;  // K (1-d) r / 8
  const double left = start * bias * bias;
  const double bound = unit * boost::math::quantile(
                                  boost::math::non_central_chi_squared(n, left / unit), confidence);
  return {unit * n + left, bound};
}

}  // namespace

SpsaDesign design(const SpsaSettings& settings, const SearchSpace& space, bool against_itself) {
  check(settings, space);
  const double full_gain = 8 * settings.precision /
                           (k * chi_square(static_cast<int>(space.size())) * noise_of(settings));
  SpsaDesign out{against_itself ? full_gain : full_gain / 2, {}, {}, 0, 0};
  for (const TunedParameter& parameter : space) {
    const auto [low, high] = parameter.range.bounds();
    const double c = parameter.range.step_in_coordinates();
    const double half = (high - low) / 2;
    const double steps = k * half * half / (4 * out.gain * settings.loss_at_half_range * c * c);
    out.time_constant = std::max(out.time_constant, against_itself ? steps : 2 * steps);
    out.steps.push_back(c);
    out.noise.push_back(half *
                        std::sqrt(settings.precision / (chi_square(static_cast<int>(space.size())) *
                                                        settings.loss_at_half_range)));
  }
  out.games = static_cast<std::int64_t>(std::ceil(time_constants * out.time_constant));
  return out;
}

int games_per_step(const Conditions& conditions) {
  return conditions.seatings * (conditions.opponents == 0 ? 1 : 2);
}

std::int64_t proposals_of(std::int64_t games, const Conditions& conditions) {
  const std::int64_t each = games_per_step(conditions);
  return (games + each - 1) / each;
}

double precision_of(std::int64_t games, const SpsaSettings& settings, const SearchSpace& space,
                    bool against_itself) {
  const auto needed = static_cast<double>(design(settings, space, against_itself).games);
  return settings.precision * needed / static_cast<double>(games);
}

EloLoss loss_of_last_point(const SpsaSettings& settings, int parameters, double start) {
  const double bias = std::exp(-time_constants);
  return loss_of(settings, parameters, start, bias, 1 - bias * bias);
}

EloLoss loss_of_answer(const SpsaSettings& settings, int parameters, double start) {
  // The means over the window [2, 3] of exp(-t), and of the covariances
  // exp(-|t - s|) - exp(-t - s), in time constants.
  const double bias = std::exp(1 - time_constants) - std::exp(-time_constants);
  return loss_of(settings, parameters, start, bias, 2 * std::exp(-1) - bias * bias);
}

std::optional<std::string> remark_on_steps(const SpsaSettings& settings, int parameters,
                                           const Scored& proposals, const Scored& answer) {
  const auto most = elo_of(score_interval(proposals.points, proposals.games).high);
  const auto least = elo_of(score_interval(answer.points, answer.games).low);
  if (!most || !least || *least - *most <= settings.loss_at_half_range * parameters) {
    return std::nullopt;
  }
  char text[200];
  std::snprintf(text, sizeof text,
                "the proposals, a step from the answer, score %.1f %%, and the answer %.1f %%: the "
                "steps are wider than the hill; smaller ones, or a narrower range, see its top.",
                100 * proposals.points / proposals.games, 100 * answer.points / answer.games);
  return text;
}

Spsa::Spsa(SearchSpace space, Conditions conditions, const SpsaSettings& settings)
    : space_(std::move(space)),
      conditions_(std::move(conditions)),
      settings_(settings),
      design_(design(settings, space_, plays_against_itself())),
      tried_(static_cast<std::size_t>(opponents_of(conditions_))) {
  check_start(space_, conditions_.start);
  for (std::size_t j = 0; j < space_.size(); ++j) {
    const Range& range = space_[j].range;
    const auto [low, high] = range.bounds();
    const double at = range.coordinate_of(*number_in<double>(conditions_.start[j]));
    history_.push_back(std::clamp(at, low, high));
  }
  const std::int64_t games = settings.games == 0 ? design_.games : settings.games;
  if (games < design_.games) {
    const double precision = precision_of(games, settings, space_, plays_against_itself());
    throw UserError("games: " + std::to_string(games) + " are too few: a precision of " +
                    std::to_string(std::lround(settings.precision)) + " Elo needs " +
                    std::to_string(design_.games) + ", and these give one of " +
                    std::to_string(std::lround(precision)) + " Elo");
  }
  proposals_ = proposals_of(games, conditions_);
}

std::span<const double> Spsa::theta(std::int64_t outcomes) const {
  return std::span(history_).subspan(static_cast<std::size_t>(outcomes) * space_.size(),
                                     space_.size());
}

std::vector<int> Spsa::flips(games::Random& random) const {
  std::vector<int> flips;
  for (std::size_t j = 0; j < space_.size(); ++j) flips.push_back(random.below(2) == 0 ? 1 : -1);
  return flips;
}

Values Spsa::played(const std::vector<int>& flips, int sign, games::Random& random) const {
  const auto at = theta(learned_);
  Values values;
  for (std::size_t j = 0; j < space_.size(); ++j) {
    values.push_back(
        space_[j].range.text_at(at[j] + sign * flips[j] * design_.steps[j], random.uniform()));
  }
  return values;
}

std::optional<Proposal> Spsa::propose() {
  if (made_ == proposals_) return std::nullopt;
  auto random = random_of(conditions_, made_);
  const auto f = flips(random);
  const int opening = static_cast<int>(made_++);
  Proposal games;
  for (int seating = 0; seating < conditions_.seatings; ++seating) {
    Values up = played(f, +1, random);
    Values down = played(f, -1, random);
    if (plays_against_itself()) {
      games.push_back({std::move(up), std::move(down), opening, seating});
    } else {
      const int opponent = opening % conditions_.opponents;
      games.push_back({std::move(up), opponent, opening, seating});
      games.push_back({std::move(down), opponent, opening, seating});
    }
  }
  return games;
}

void Spsa::learn(const Outcome& outcome) {
  double w = 0;
  int sign = 1;
  Tried& tried = tried_[static_cast<std::size_t>(learned_) % tried_.size()];
  for (const int twelfths : outcome) {
    const double result = 2.0 * twelfths / whole_point - 1;
    w += sign * result;
    if (!plays_against_itself()) sign = -sign;
    ++tried.games;
    tried.points += (1 + result) / 2;
    tried.drawn += 1 - result * result;
  }
  squares_ += w * w / static_cast<double>(outcome.size());
  auto random = random_of(conditions_, learned_);
  const auto f = flips(random);
  for (std::size_t j = 0; j < space_.size(); ++j) {
    const auto [low, high] = space_[j].range.bounds();
    const double moved = theta(learned_)[j] + design_.gain * design_.steps[j] * f[j] * w;
    history_.push_back(std::clamp(moved, low, high));
  }
  ++learned_;
}

/// The outcomes of a time constant, as far as there are.
std::int64_t Spsa::window() const {
  const double steps = design_.time_constant / games_per_step(conditions_);
  return std::min(learned_, std::max<std::int64_t>(std::lround(steps), 1));
}

double Spsa::measured_noise() const {
  return learned_ == 0 ? 1 : squares_ / static_cast<double>(learned_);
}

Spsa::Quiet Spsa::measured_quiet() const {
  double games = 0;
  Quiet out{};
  for (const Tried& tried : tried_) {
    if (tried.games == 0) continue;
    games += tried.games;
    out.by_draws += tried.drawn;
    out.by_scores += tried.games * std::pow(2 * tried.points / tried.games - 1, 2);
  }
  out.by_draws /= games;
  out.by_scores /= games;
  out.by_openings = std::max(0.0, 1 - out.by_draws - out.by_scores - measured_noise());
  return out;
}

std::vector<double> Spsa::mean_theta() const {
  const std::int64_t last = window();
  std::vector<double> mean(space_.size());
  for (std::int64_t i = learned_ - last; i <= learned_; ++i) {
    for (std::size_t j = 0; j < mean.size(); ++j) {
      mean[j] += theta(i)[j] / static_cast<double>(last + 1);
    }
  }
  return mean;
}

std::vector<Values> Spsa::recommended() const {
  const auto mean = mean_theta();
  Values values;
  for (std::size_t j = 0; j < mean.size(); ++j) values.push_back(space_[j].range.text_at(mean[j]));
  return {values};
}

bool Spsa::drifts(std::size_t parameter) const {
  // The difference of the halves' means is a sum of theta's steps, which weigh the more the nearer
  // they are to the middle. Steps that only wander are independent.
  const std::int64_t half = window() / 2;
  if (half < 10) return false;
  double difference = 0;
  double variance = 0;
  for (std::int64_t i = 1; i < 2 * half; ++i) {
    const std::int64_t at = learned_ - 2 * half + i;
    const double step = theta(at + 1)[parameter] - theta(at)[parameter];
    const double weight =
        static_cast<double>(std::min(i, 2 * half - i)) / static_cast<double>(half);
    difference += weight * step;
    variance += weight * weight * step * step;
  }
  const boost::math::students_t t(static_cast<double>(2 * half - 2));
  return std::abs(difference) >
         boost::math::quantile(t, (1 + confidence) / 2) * std::sqrt(variance);
}

std::vector<std::string> Spsa::remarks() const {
  std::vector<std::string> remarks;
  const auto mean = mean_theta();
  for (std::size_t j = 0; j < mean.size(); ++j) {
    const TunedParameter& parameter = space_[j];
    const auto [low, high] = parameter.range.bounds();
    if (drifts(j)) {
      remarks.push_back(parameter.name + " still drifts: the same tuning goes on with more games.");
    }
    const bool is_low = mean[j] - low < design_.noise[j];
    if (is_low || high - mean[j] < design_.noise[j]) {
      remarks.push_back(parameter.name + " stands at its " + (is_low ? "lower" : "upper") +
                        " bound, " + parameter.range.text_at(is_low ? low : high) +
                        ": the best may lie beyond it.");
    }
  }
  constexpr std::int64_t enough = 200;
  const double designed = noise_of(settings_);
  if (learned_ < enough) return remarks;
  const Quiet quiet = measured_quiet();
  const double left = 1 - quiet.by_draws - quiet.by_openings;
  if (left < 0.8 * designed) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "draws and uneven openings left %.2f of a game's noise, and the design took "
                  "%.2f: with draw_ratio = %.2f and opening_bias = %.2f another tuning needs fewer "
                  "games.",
                  left, designed, quiet.by_draws, std::sqrt(quiet.by_openings) / 2);
    remarks.emplace_back(text);
  }
  return remarks;
}

}  // namespace pitboss::clients
