#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// The learner's figures on a generation (learner/NNNN.json).
struct LearnedFigures {
  int steps = 0;
  int rows_in_window = 0;
  double learning_rate = 0;
  double policy_loss = 0;
  double value_loss = 0;
  int held_out_rows = 0;  ///< 0: the held-out losses are not known
  std::optional<double> held_out_policy_loss;
  std::optional<double> held_out_value_loss;
  double policy_entropy = 0;   ///< of the searches' visits
  double network_entropy = 0;  ///< of the network's policies
  double policy_accuracy = 0;  ///< share of rows whose most visited move the policy prefers, too
  double seconds = 0;
  std::optional<double> processor_seconds;  ///< of the whole process; none from older learners
  double samples_per_second = 0;
};

/// A generation's figures; nothing if it was not learned. Throws UserError for a damaged file.
[[nodiscard]] std::optional<LearnedFigures> read_learned(const RunFolder& run, int generation);

/// The Python that can run the learner, since it has PyTorch: that of PITBOSS_TORCH_PYTHON if it is
/// set, else the first one of PATH, of the active virtual or Conda environment, and of /usr/bin.
/// Throws UserError if none can; the sentence says what to install. Blocks for some seconds.
[[nodiscard]] std::string find_learner();

/// Has the learner (clients/python/), run by `python`, make a generation's network from the rows so
/// far. Starts a learner that was killed again, at most twice. Blocks until the network is there or
/// `stop` is true; returns whether the network is there. `on_progress` gets the share of finished
/// steps. Throws UserError with the learner's own sentence if the learner fails.
bool learn(const RunFolder& run, int generation, const std::string& python,
           const std::atomic<bool>& stop, const std::function<void(double)>& on_progress);

}  // namespace pitboss::clients
