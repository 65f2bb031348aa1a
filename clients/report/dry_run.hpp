#pragma once

#include <string>

#include "clients/experiments/experiment_file.hpp"
#include "clients/referee/move_costs.hpp"

namespace pitboss::clients {

/// What would be played and how long it may take, as text for the user.
[[nodiscard]] std::string plan_text(const ExperimentFile& file, const MoveCosts& costs);

}  // namespace pitboss::clients
