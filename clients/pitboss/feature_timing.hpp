#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "clients/experiments/statistics/median.hpp"
#include "engine/policy/features/matching_time.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// How fast features are matched, and what a biased search costs.
struct FeatureTiming {
  std::string game;
  engine::MatchingTime matching;
  double simulation_seconds = 0;  ///< of a biased search; median of the rounds
  MedianEstimate overhead{};      ///< time over that of UCT with uniform playouts, of the rounds
};

/// Times a set of 50 features (or as many as the rules' own, if these are more): the rules'
/// features and random combinations of them. Takes about `seconds`; blocks.
[[nodiscard]] FeatureTiming time_features(const games::AnyGame& game, std::int64_t simulations,
                                          double seconds);

[[nodiscard]] nlohmann::ordered_json json_of(const FeatureTiming& timing);
void print_table(std::span<const FeatureTiming> timings);

}  // namespace pitboss::clients
