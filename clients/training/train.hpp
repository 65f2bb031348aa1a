#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "clients/training/evaluation.hpp"
#include "clients/training/learner.hpp"
#include "clients/training/manifest.hpp"
#include "clients/training/self_play.hpp"

namespace pitboss::clients {

/// Who hears of a run's progress, on the calling thread.
struct TrainingListener {
  std::function<void(int generation, const Played&)> on_self_play = [](int, const Played&) {};
  std::function<void(int generation, double share)> on_learning = [](int, double) {};
  std::function<void(int generation, int games, int of)> on_evaluation = [](int, int, int) {};
  /// An evaluation is over, during which SIGINT and SIGTERM were the referee's (evaluation.hpp).
  std::function<void()> after_evaluation = [] {};
  /// A generation is done, and everything about it is in its files.
  std::function<void(int generation)> on_generation = [](int) {};
  /// A sentence for the user.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

/// Makes the generations of a run that are not there yet: self-play on `threads` threads, the
/// learner, an evaluation now and then. What a process that was killed has finished counts. Blocks
/// until the last generation is done or `stop` is true; whether the last is done. Throws UserError
/// for what ends the run, whose files stay as they are: the learner's failure, the abort rules, a
/// full disk, another process that drives the same run, options that do not fit together.
bool train(const RunFolder& run, int threads, const std::atomic<bool>& stop,
           const TrainingListener& listener);

/// Why a run has gone wrong, by its settings' rules, as a sentence; empty if it has not.
[[nodiscard]] std::string abort_reason(const AbortSettings& rules, const GenerationFigures& played,
                                       const LearnedFigures& learned);

}  // namespace pitboss::clients
