#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// What the learner says of a generation (learner/NNNN.json).
struct LearnedFigures {
  int steps = 0;
  int rows_in_window = 0;
  double learning_rate = 0;
  double policy_loss = 0;
  double value_loss = 0;
  int held_out_rows = 0;  ///< none: the held-out losses are not known
  std::optional<double> held_out_policy_loss;
  std::optional<double> held_out_value_loss;
  double policy_entropy = 0;   ///< of the searches' visits
  double network_entropy = 0;  ///< of the network's policies
  double policy_accuracy = 0;  ///< share of rows whose most visited move is the policy's first
  double seconds = 0;
  std::optional<double> processor_seconds;  ///< of the whole process; older learners do not say
  double samples_per_second = 0;
};

/// Nothing if the learner has not learned that generation. Throws UserError for a damaged file.
[[nodiscard]] std::optional<LearnedFigures> read_learned(const RunFolder& run, int generation);

/// Throws UserError, with a sentence that says what to install, if the learner cannot run here.
/// Blocks for some seconds.
void check_learner();

/// Has the learner (clients/python/) make a generation's network from the rows so far. A learner
/// that is killed is started again, twice. Blocks until the network is there or `stop` is true;
/// whether it is there. `on_progress` gets the share of the steps that are done. Throws UserError
/// with the learner's own sentence if it fails.
bool learn(const RunFolder& run, int generation, const std::atomic<bool>& stop,
           const std::function<void(double)>& on_progress);

}  // namespace pitboss::clients
