#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "clients/experiments/setting_rows.hpp"
#include "clients/growing/discovery.hpp"
#include "engine/policy/features/feature_set.hpp"

namespace pitboss::clients {

/// How features are grown. Values that the paper leaves open are Ludii's (docs/features.md).
struct GrowSettings {
  std::string game;                      ///< its name, perhaps with parameters
  std::string strategy = "correlation";  ///< of `strategies`
  int games = 200;                       ///< games after each of which a feature is added
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
  std::int64_t seed = 1;
  std::string options;  ///< of the search, set after the paper's options

  friend bool operator==(const GrowSettings&, const GrowSettings&) = default;
};

/// The names of the strategies, in the order of Strategy.
inline constexpr std::string_view strategies = "random, combine-random, combine-max, correlation";
[[nodiscard]] Strategy strategy_of(const GrowSettings& settings);

/// All but the game and `by_colour`.
inline constexpr std::array grow_rows{
    setting("strategy", &GrowSettings::strategy, "how a feature is found", strategies),
    setting("games", &GrowSettings::games, 0, 899, "games after each of which a feature is added"),
    setting("keep", &GrowSettings::keep, 0, engine::most_features,
            "features that are kept then, the heaviest; 0: all"),
    setting("games_after", &GrowSettings::games_after, 0, 100,
            "games that then only change weights"),
    setting("simulations", &GrowSettings::simulations, 2, 1e8, "of each move"),
    setting("at_once", &GrowSettings::at_once, 1, 64, "games at a time, a thread each"),
    setting("longest_game", &GrowSettings::longest_game, 1, 100'000,
            "plies after which a game ends"),
    setting("step", &GrowSettings::step, 0, 100, "step size of gradient descent"),
    setting("lambda", &GrowSettings::lambda, 0, 100,
            "weight of the squares of weights in the loss"),
    setting("batch", &GrowSettings::batch, 1, 1e6, "positions of each step"),
    setting("discovery_batch", &GrowSettings::discovery_batch, 1, 1e6,
            "positions among which a feature is looked for"),
    setting("buffer", &GrowSettings::buffer, 1, 1e6, "positions that are remembered"),
    setting("seed", &GrowSettings::seed, 0, unbounded),
    setting("options", &GrowSettings::options, "of the search: \"c_puct=0.5 solver=true\""),
};
/// The settings as JSON, which is kept in a run's folder.
[[nodiscard]] std::string json_of(const GrowSettings& settings);

}  // namespace pitboss::clients
