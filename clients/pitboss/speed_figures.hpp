#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "clients/pitboss/disturbance.hpp"
#include "clients/pitboss/feature_timing.hpp"
#include "clients/pitboss/network_timing.hpp"
#include "clients/pitboss/search_timing.hpp"

/// The speed of searches in several games: what `pitboss bench` measures and tells.
namespace pitboss::clients {

/// What is measured.
struct SpeedPlan {
  std::vector<std::string> games;
  SearchPlan searches{};
  int threads = 1;     ///< the most for one search
  double seconds = 2;  ///< for each game, and as many again for features and for networks
  bool has_features = false;
  bool has_networks = false;
};
/// The command that measures this and prints JSON.
[[nodiscard]] std::string command_of(const SpeedPlan& plan);

/// The measured times of one game.
struct GameSpeed {
  std::vector<Timing> variants;
  // Nothing if the plan picks rows.
  std::vector<Timing> threads;  ///< the first one is for one thread
  std::optional<PlayoutTiming> playouts;
};
struct SpeedFigures {
  std::string command;
  std::string signature;
  Disturbance disturbance;
  std::vector<GameSpeed> games;
  std::vector<FeatureTiming> features;
  std::vector<NetworkTiming> networks;
};

/// Blocks. Throws UserError for a plan that means nothing, before anything is measured.
[[nodiscard]] SpeedFigures measure_speed(const SpeedPlan& plan);

[[nodiscard]] nlohmann::ordered_json json_of(const SpeedFigures& figures);
void print_tables(const SpeedFigures& figures);

}  // namespace pitboss::clients
