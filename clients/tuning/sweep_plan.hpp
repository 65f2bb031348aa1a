#pragma once

#include <string>
#include <vector>

#include "clients/tuning/tuning_file.hpp"

namespace pitboss::clients {

/// A sweep over one or two parameters of a tuning's file.
struct SweepSettings {
  std::vector<std::string> over = {};  ///< "k", "k=0.1,0.3,1"
  std::vector<std::string> at = {};    ///< "beta=2": of the other parameters; else as before tuning
  int points = 9;                      ///< of a range
  int games = 0;  ///< of each combination against each opponent; 0: the file says
};

/// A match for each combination of values and each opponent, all from the same openings, which are
/// not those of the tuning. The players are called NAME-1, NAME-2, and so on. Throws UserError.
[[nodiscard]] Experiment sweep_experiment(const PlannedTuning& plan, const SweepSettings& settings);

}  // namespace pitboss::clients
