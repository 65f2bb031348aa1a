#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/statistics/median.hpp"

namespace pitboss::clients {

/// How long searches with a measure of novelty take, over the same search without one.
struct MeasureTime {
  std::string novelty;  ///< a value of the option
  MedianEstimate ratio;
};

/// The searches of one game.
struct GameTimes {
  std::string game;
  std::int64_t simulations = 0;       ///< of each search
  double simulations_per_second = 0;  ///< without novelty
  int rounds = 0;                     ///< of each search
  std::vector<MeasureTime> measures;
};

/// What novelty costs: the part of a record of `pitboss bench --json` that is about it.
struct Times {
  std::string command;    ///< that has measured
  std::string signature;  ///< of the searches of all games
  std::vector<GameTimes> static_values;
  std::vector<GameTimes> networks;  ///< without a cache of evaluations; may be empty
};

/// The name of their page and figure.
inline constexpr std::string_view times_name = "novelty-times";

/// The measures that at least one of the games has, in the order of the option's values.
[[nodiscard]] std::vector<std::string> measures_of(const std::vector<GameTimes>& games);

/// Nothing if there is no such file. Throws UserError, which names the file, for one that cannot be
/// read, has no search with novelty or contradicts itself.
[[nodiscard]] std::optional<Times> read_times(const std::filesystem::path& path);

}  // namespace pitboss::clients
