#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clients/growing/discovery.hpp"

namespace pitboss::clients {

/// How features are grown. Values that the paper leaves open are Ludii's (docs/features.md).
struct GrowSettings {
  std::string game;  ///< its name, perhaps with parameters
  Strategy strategy = Strategy::correlation;
  int games = 200;                  ///< games after each of which a feature is added
  int keep = 0;                     ///< the heaviest features, which are kept after that; 0: all
  int games_after = 0;              ///< later games, which only change weights
  std::int64_t simulations = 1000;  ///< of each move
  int at_once = 1;                  ///< games, each in a thread of its own
  int longest_game = 100;           ///< plies, after which a game is a draw
  double step = 0.05;               ///< of gradient descent
  double lambda = 1e-6;             ///< of the squares of weights
  int batch = 30;                   ///< positions of each step of gradient descent
  int discovery_batch = 200;        ///< positions among which a feature is looked for
  int buffer = 2500;                ///< positions that are remembered
  bool by_colour = true;            ///< whether each colour has weights of its own
  std::uint64_t seed = 1;
  std::string options;  ///< of the search, set after the paper's options

  friend bool operator==(const GrowSettings&, const GrowSettings&) = default;
};

/// The names of the strategies, in the order of Strategy.
[[nodiscard]] std::vector<std::string_view> strategy_names();
/// The settings as JSON, which is kept in a run's folder.
[[nodiscard]] std::string json_of(const GrowSettings& settings);

}  // namespace pitboss::clients
