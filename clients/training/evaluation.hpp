#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/statistics/intervals.hpp"
#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// A generation's network against one opponent.
struct Comparison {
  std::string opponent;  ///< "anchor", or an earlier network: "g0005"
  std::string options;   ///< of the opponent, as the settings had them
  int games = 0;
  int wins = 0;
  int draws = 0;
  double score = 0;     ///< of the network, in [0, 1]
  Interval interval{};  ///< 95 %
};

/// Whether a generation is one of those that are evaluated.
[[nodiscard]] bool is_evaluated(const TrainingSettings& settings, int generation);

/// Nothing if the generation was not evaluated. Throws UserError for a damaged file.
[[nodiscard]] std::optional<std::vector<Comparison>> read_evaluation(const RunFolder& run,
                                                                     int generation);

/// Plays a generation's network against the anchor and an earlier network, as the referee does, at
/// a daemon that it starts, and records everything in the folder of the evaluation. Goes on with
/// what an earlier call has begun. Blocks. False if it was interrupted by a signal: while it plays,
/// SIGINT and SIGTERM are the referee's, and have their default action when it returns. Throws
/// UserError.
bool evaluate(const RunFolder& run, int generation, int threads,
              const std::function<void(int games, int of)>& on_progress);

}  // namespace pitboss::clients
