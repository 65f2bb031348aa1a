#include "clients/pitboss/feature_timing.hpp"

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "clients/growing/growing_game.hpp"
#include "clients/growing/growing_policy.hpp"
#include "clients/pitboss/overhead_json.hpp"
#include "clients/pitboss/search_timing.hpp"
#include "engine/models.hpp"
#include "engine/policy/features/atomic_features.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "engine/search/search.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

namespace {

using SteadyClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::size_t features_timed = 50;
constexpr const char* set_name = "timed";

/// Has the policy remember positions of random games; each target is the random move.
void remember_random_games(GrowingPolicy& policy, const games::AnyGame& start) {
  constexpr std::size_t enough = 100;
  games::Random random(1);
  while (policy.remembered() < enough) {
    const auto position = start.clone();
    while (!position->result().finished() && policy.remembered() < enough) {
      const std::string move = position->random_move(random);
      if (random.below(4) == 0) policy.remember(sample_of(*position, {{move, 1.}}));
      position->play(move);
    }
  }
}

engine::FeatureSet timed_set(const games::AnyGame& game) {
  engine::FeatureSet set;
  set.game = game.name();
  set.parameters = game.parameters().line();
  set.features = engine::atomic_features(engine::feature_game(game));
  set.weights.resize(set.features.size());
  GrowSettings settings;
  settings.strategy = "random";
  settings.discovery_batch = 10;
  settings.by_colour = false;
  GrowingPolicy policy(set, settings);
  remember_random_games(policy, game);
  games::Random random(1);
  std::size_t count = set.features.size();
  while (count < features_timed && policy.grow(random) != nullptr) ++count;
  return policy.set();
}

/// Seconds for a simulation.
double simulation_seconds(engine::Search& search, const games::AnyGame& game,
                          const engine::Options& options) {
  const engine::Report report = searched(search, game, options);
  return seconds_a_simulation(search, report);
}

}  // namespace

FeatureTiming time_features(const games::AnyGame& game, std::int64_t simulations, double seconds) {
  const engine::FeatureSet set = timed_set(game);
  FeatureTiming timing{
      std::string(game.name()), engine::time_matching(set, game, seconds / 4), 0, {}};
  engine::Models models;
  models.feature_sets =
      std::make_shared<engine::FeatureSets>(engine::LoadedFeatures{set_name, "", set});
  const auto search = engine::make_search(game, models);
  engine::Options plain;
  plain.evaluation = engine::EvaluatorKind::playout;
  plain.selection = engine::Selection::ucb1;
  plain.simulations = simulations;
  plain.seed = 1;
  engine::Options biased = plain;
  for (const auto& [name, value] : engine::parse_assignments(biased_search)) {
    engine::set_option(biased, name, value);
  }
  biased.reuse_tree = false;
  biased.tree_mb = plain.tree_mb;
  biased.features = set_name;
  std::vector<double> times;
  std::vector<double> ratios;
  const auto end = SteadyClock::now() + Seconds(0.75 * seconds);
  do {
    const double without = simulation_seconds(*search, game, plain);
    times.push_back(simulation_seconds(*search, game, biased));
    ratios.push_back(times.back() / without);
  } while (SteadyClock::now() < end);
  timing.simulation_seconds = median(times);
  timing.overhead = estimate_median(std::move(ratios));
  return timing;
}

nlohmann::ordered_json json_of(const FeatureTiming& timing) {
  nlohmann::ordered_json json{{"game", timing.game},
                              {"features", timing.matching.features},
                              {"instances", timing.matching.instances},
                              {"moves", timing.matching.moves},
                              {"ns_per_position", 1e9 * timing.matching.seconds},
                              {"ns_per_simulation", 1e9 * timing.simulation_seconds}};
  put_overhead(json, timing.overhead);
  return json;
}

void print_table(std::span<const FeatureTiming> timings) {
  std::printf("%-15s %9s %9s %7s %12s %9s %9s\n", "features", "number", "instances", "moves",
              "ns/position", "ns/sim", "overhead");
  for (const FeatureTiming& t : timings) {
    std::printf("%-15s %9zu %9zu %7.1f %12.0f %9.0f %9.3f\n", t.game.c_str(), t.matching.features,
                t.matching.instances, t.matching.moves, 1e9 * t.matching.seconds,
                1e9 * t.simulation_seconds, t.overhead.value);
  }
}

}  // namespace pitboss::clients
