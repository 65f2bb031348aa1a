#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "clients/training/evaluation.hpp"
#include "clients/training/learner.hpp"
#include "clients/training/manifest.hpp"
#include "clients/training/self_play.hpp"

namespace pitboss::clients {

/// Callbacks on a run's progress, called on the calling thread.
struct TrainingListener {
  std::function<void(int generation, const Played&)> on_self_play = [](int, const Played&) {};
  std::function<void(int generation, double share)> on_learning = [](int, double) {};
  std::function<void(int generation, int games, int of)> on_evaluation = [](int, int, int) {};
  /// A generation is finished, with all its files written.
  std::function<void(int generation)> on_generation = [](int) {};
  /// A sentence for the user.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

/// What a run is made with.
struct TrainingMeans {
  int threads = 1;       ///< that play
  std::string python{};  ///< that runs the learner (`find_learner`); empty: it is looked for
};

/// Makes the missing generations of a run: self-play, the learner, an evaluation now and then;
/// before that, missing rows of finished generations. The finished files of killed processes count.
/// Blocks until the last generation is done or `stop` is true; returns whether the last generation
/// is done. Throws UserError for a failure that ends the run, whose files stay as they are: the
/// learner's failure, the abort rules, a full disk, another process that drives the same run,
/// options that contradict each other.
bool train(const RunFolder& run, const TrainingMeans& means, const std::atomic<bool>& stop,
           const TrainingListener& listener);

/// By the settings' rules, why a run has gone wrong, as a sentence; empty if it has not.
[[nodiscard]] std::string abort_reason(const AbortSettings& rules, const GenerationFigures& played,
                                       const LearnedFigures& learned);

}  // namespace pitboss::clients
