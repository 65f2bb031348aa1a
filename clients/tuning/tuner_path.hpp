#pragma once

#include <filesystem>

#include "clients/results/sweep.hpp"
#include "clients/tuning/sweep_plan.hpp"

namespace pitboss::clients {

/// Where a tuning's games were, over its time, on the map of a sweep: the means of the values that
/// it tried. Over one option the time goes up. The tuning must have the sweep's options.
[[nodiscard]] Figure tuner_path(const Results& results, const Sweep& sweep,
                                const std::filesystem::path& tuning);

/// Throws UserError if the folder holds no tuning that has the sweep's parameters.
void check_path(const PlannedTuning& plan, const SweepSettings& settings,
                const std::filesystem::path& tuning);

}  // namespace pitboss::clients
