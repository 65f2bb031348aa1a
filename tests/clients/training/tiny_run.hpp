#pragma once

#include <string>

#include "clients/training/run_folder.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

/// Settings of a run that takes seconds: hex on a small board, few games, few simulations.
inline const std::string tiny_settings = R"(
game = "hex size=3"
generations = 2
[self_play]
games = 12
early_games = 12
games_per_file = 5
full_share = 0.5
stages = [{ from = 0.0, full = 16, fast = 8 }, { from = 0.5, full = 24, fast = 8 }]
[learner]
batch = 16
most_steps = 20
warm_up_steps = 5
statistics_batches = 2
window_least = 1000
held_out = 0.1
threads = 1
[evaluation]
every = 2
games = 4
simulations = 20
earlier = 1
random_plies = 1
anchor = "evaluation=playout simulations=10"
[abort]
policy_entropy = 0.0
distinct_openings = 0.0
draws = 1.0
value_gap = 10.0
)";

inline TrainingSettings tiny() { return training_settings(parse_settings(tiny_settings, "tiny")); }

}  // namespace pitboss::clients
