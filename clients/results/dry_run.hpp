#pragma once

#include <array>
#include <optional>
#include <string>

#include "clients/experiments/experiment_file.hpp"
#include "clients/referee/move_costs.hpp"

namespace pitboss::clients {

/// The games of a plan and their estimated time, as text for the user.
[[nodiscard]] std::string plan_text(const ExperimentFile& file, const MoveCosts& costs);

/// The matches of a plan as JSON, one a line, for programs: each with its `configuration`, its
/// number of `games` and its `rules`, "gomoku size=7": the game with those parameters that are not
/// its own choice.
[[nodiscard]] std::string plan_json(const Experiment& experiment);

/// A line that says that the estimate does not know this machine's load, threads that run or wait
/// (environment::load); empty if they leave most of so many processors free.
[[nodiscard]] std::string load_text(double load, int processors);

/// How many games of a match go on at once: what the file and the places allow, and no more than
/// these search at once.
[[nodiscard]] int games_at_once(const ExperimentFile& file, const Match& match,
                                const std::array<std::optional<MoveCost>, 2>& costs);

/// A duration in at most two units: "3 d 4 h", "2 h 5 min", "40 s".
[[nodiscard]] std::string estimate_text(double seconds);

}  // namespace pitboss::clients
