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
  std::string options;   ///< the opponent's, as the settings had them then
  int games = 0;
  int wins = 0;
  int draws = 0;
  double score = 0;     ///< of the network, in [0, 1]
  Interval interval{};  ///< 95 %
};

/// Whether a generation is one of those that are evaluated.
[[nodiscard]] bool is_evaluated(const TrainingSettings& settings, int generation);

/// A generation's evaluation; nothing if there is none. Throws UserError for a damaged file.
[[nodiscard]] std::optional<std::vector<Comparison>> read_evaluation(const RunFolder& run,
                                                                     int generation);

/// Plays a generation's network against the anchor and an earlier network, as the referee does, at
/// a daemon that this function starts, and records everything in the evaluation's folder. Goes on
/// where an earlier call was interrupted. Blocks. Returns false if a signal interrupted it: the
/// referee handles SIGINT and SIGTERM meanwhile, and they have their default action afterwards.
/// Throws UserError.
bool evaluate(const RunFolder& run, int generation, int threads,
              const std::function<void(int games, int of)>& on_progress);

}  // namespace pitboss::clients
