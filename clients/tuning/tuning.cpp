#include "clients/tuning/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <utility>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

Method& method_of(Stage& stage) {
  return std::visit([](Method& method) -> Method& { return method; }, stage);
}
const Method& method_of(const Stage& stage) {
  return std::visit([](const Method& method) -> const Method& { return method; }, stage);
}

Stage first_stage(const SearchSpace& space, const TuningSettings& settings) {
  const Conditions& conditions = settings.conditions;
  if (const auto* race = std::get_if<RaceSettings>(&settings.method)) {
    return Race(space, conditions, *race);
  }
  if (const auto* ucb = std::get_if<UcbSettings>(&settings.method)) {
    return UcbBandit(space, conditions, *ucb);
  }
  if (const auto* n_tuple = std::get_if<NTupleTuning>(&settings.method)) {
    return NTupleRuns(space, conditions, n_tuple->runs);
  }
  return Spsa(space, conditions, std::get<SpsaSettings>(settings.method));
}

void check(const SearchSpace& space, const TuningSettings& settings) {
  require(!space.empty(), "parameters: expected at least one");
  require(settings.conditions.start.size() == space.size(),
          "parameters: each needs its value before tuning");
  require(settings.lag.value_or(1) >= 1, "lag: expected at least 1");
  if (const auto* n_tuple = std::get_if<NTupleTuning>(&settings.method)) {
    require(n_tuple->runs.runs >= 1, "runs: expected at least 1");
    check(n_tuple->comparison, n_tuple->runs.runs, settings.conditions);
  }
  if (settings.deviations.games > 0) check(settings.deviations, space, settings.conditions);
}

}  // namespace

std::int64_t games_of(const SearchSpace& space, const TuningSettings& settings) {
  if (const auto* race = std::get_if<RaceSettings>(&settings.method)) return race->games;
  if (const auto* ucb = std::get_if<UcbSettings>(&settings.method)) return ucb->games;
  if (const auto* n_tuple = std::get_if<NTupleTuning>(&settings.method)) {
    const int runs = n_tuple->runs.runs;
    const std::int64_t compared = runs < 2 ? 0 : runs * n_tuple->comparison.games;
    return runs * n_tuple->runs.games_per_run + compared;
  }
  const auto& spsa = std::get<SpsaSettings>(settings.method);
  const std::int64_t games =
      std::max(spsa.games, design(spsa, space, settings.conditions.opponents == 0).games);
  return proposals_of(games, settings.conditions) * games_per_step(settings.conditions);
}

int games_per_proposal(const TuningSettings& settings) {
  const Conditions& conditions = settings.conditions;
  if (!std::holds_alternative<SpsaSettings>(settings.method)) return games_per_sample(conditions);
  return games_per_step(conditions);
}

std::int64_t most_lag(const SearchSpace& space, const TuningSettings& settings) {
  const int games = games_per_proposal(settings);
  const auto* const spsa = std::get_if<SpsaSettings>(&settings.method);
  if (spsa == nullptr) return games_of(space, settings) / games;
  const bool is_self_play = settings.conditions.opponents == 0;
  const double proposals = design(*spsa, space, is_self_play).time_constant / games;
  return std::max<std::int64_t>(std::llround(proposals) / 20, 1);
}

int lag_of(const SearchSpace& space, const TuningSettings& settings) {
  constexpr std::int64_t usual = 16;
  return settings.lag.value_or(static_cast<int>(std::min(usual, most_lag(space, settings))));
}

EloLoss loss_of_selection(int candidates, double games) {
  // One candidate is better than n - 1 others by delta standard errors of a score. It is taken
  // with the probability that its score x, normal around delta, exceeds all others'. The worst
  // delta is looked for.
  constexpr double step = 0.05;
  const auto wrong = [&](double delta) {
    double right = 0;
    for (double x = -6; x < 6; x += step) {
      right += step * std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi) *
               std::pow(probability_positive(x + delta, 1), candidates - 1);
    }
    return 1 - right;
  };
  double mean = 0;
  double bound = 0;
  for (double delta = step; candidates > 1 && delta < 6; delta += step) {
    const double share = wrong(delta);
    mean = std::max(mean, delta * share);
    if (share > 0.05) bound = delta;
  }
  const double elo = 4 * elo_scale * std::sqrt(0.25 / games);  // of a standard error, near 1/2
  return {elo * mean, elo * bound};
}

namespace {

Prediction expected_end(const SearchSpace& space, const TuningSettings& settings,
                        double start_loss) {
  const std::int64_t games = games_of(space, settings) + settings.deviations.games;
  if (std::holds_alternative<RaceSettings>(settings.method)) {
    return {
        games, std::nullopt,
        "No theory tells what a race loses against the best; docs/results/tuners.md has what it "
        "lost where that is known. It does not answer below the options before tuning, but by "
        "chance."};
  }
  if (const auto* ucb = std::get_if<UcbSettings>(&settings.method)) {
    const auto arms = static_cast<int>(space.front().values.size());
    return {games, loss_of_selection(arms, static_cast<double>(ucb->games) / arms),
            "The loss is that of equal shares of the games for all values, at worst; UCB1-Tuned "
            "gives the good ones more. Values between those listed are not counted."};
  }
  if (const auto* n_tuple = std::get_if<NTupleTuning>(&settings.method)) {
    if (n_tuple->runs.runs < 2) {
      return {games, std::nullopt,
              "A single run's candidate is compared with no other, and no theory tells what it "
              "loses against the best combination."};
    }
    return {games,
            loss_of_selection(n_tuple->runs.runs, static_cast<double>(n_tuple->comparison.games)),
            "The loss is that of the final comparison, against the best of the runs' candidates; "
            "no theory tells what these lose against the best combination."};
  }
  return {games,
          loss_of_answer(std::get<SpsaSettings>(settings.method), static_cast<int>(space.size()),
                         start_loss),
          "The loss is that of Van den Bergh's theory, if each parameter loses as much as guessed "
          "at half its range, and the loss is a sum of one for each, quadratic over its steps."};
}

}  // namespace

Prediction predict(const SearchSpace& space, const TuningSettings& settings, double start_loss) {
  static_cast<void>(make_tuning(space, settings));  // which checks them
  Prediction prediction = expected_end(space, settings, start_loss);
  if (prediction.loss && prediction.loss->mean >= start_loss) {
    char text[200];
    std::snprintf(text, sizeof text,
                  "The answer is expected to lose %.1f Elo, no less than the player before tuning "
                  "if start_loss, %.1f, is right: it needs more games.",
                  prediction.loss->mean, start_loss);
    prediction.warning = text;
  }
  return prediction;
}

Stages::Stages(Stage first, std::vector<Next> later) : later_(std::move(later)) {
  stages_.push_back(std::move(first));
}

std::optional<Proposal> Stages::propose() {
  while (true) {
    if (auto games = method_of(stages_.back()).propose()) {
      for (ProposedGame& game : *games) {
        game.opening += first_opening_;
        next_opening_ = std::max(next_opening_, game.opening + 1);
      }
      ++open_;
      return games;
    }
    if (open_ > 0 || stages_.size() > later_.size()) return std::nullopt;
    stages_.push_back(later_[stages_.size() - 1](recommended()));
    first_opening_ = next_opening_;
  }
}

void Stages::learn(const Outcome& outcome) {
  method_of(stages_.back()).learn(outcome);
  --open_;
}

std::vector<Values> Stages::recommended() const { return method_of(stages_.back()).recommended(); }

std::vector<std::string> Stages::remarks() const {
  std::vector<std::string> all;
  for (const auto& stage : stages_)
    std::ranges::move(method_of(stage).remarks(), std::back_inserter(all));
  return all;
}

std::unique_ptr<Stages> make_tuning(const SearchSpace& space, const TuningSettings& settings) {
  check(space, settings);
  auto first = first_stage(space, settings);
  const std::int64_t most = most_lag(space, settings);
  const bool is_spsa = std::holds_alternative<SpsaSettings>(settings.method);
  require(lag_of(space, settings) <= most,
          "lag: " + std::to_string(lag_of(space, settings)) + " is more than " +
              (is_spsa ? "a twentieth of SPSA's time constant in proposals, "
                       : "the tuning has proposals, ") +
              std::to_string(most));
  std::vector<Stages::Next> later;
  const Conditions& conditions = settings.conditions;
  if (const auto* n_tuple = std::get_if<NTupleTuning>(&settings.method)) {
    later.emplace_back([=, rule = n_tuple->comparison](const std::vector<Values>& candidates) {
      return FinalComparison(candidates, conditions, rule);
    });
  }
  if (settings.deviations.games > 0) {
    later.emplace_back([=, rule = settings.deviations](const std::vector<Values>& candidates) {
      return OneStepDeviations(space, candidates.front(), conditions, rule);
    });
  }
  return std::make_unique<Stages>(std::move(first), std::move(later));
}

}  // namespace pitboss::clients
