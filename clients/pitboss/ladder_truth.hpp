#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/position_searches.hpp"
#include "clients/results/ladder.hpp"

namespace pitboss::clients {

/// A position of which is known what each legal move comes to for its mover: a result, or points.
struct TruthPosition {
  GamePosition position;
  std::map<std::string, int> moves;
};

/// Reads positions as data/results/truth-positions.jsonl has them, one a line. Throws UserError.
[[nodiscard]] std::vector<TruthPosition> read_truth_positions(const std::filesystem::path& path);

/// Has players search the positions of their games without their exact solver, at these servers or,
/// who does not play there, at its own. Keeps what they find in the folder, so that the same call
/// goes on. Adds shares of lost results to `errors`. Returns the exit code if it was stopped, which
/// it tells. Throws UserError.
[[nodiscard]] std::optional<int> measure_errors(const std::vector<TruthPosition>& positions,
                                                const std::vector<GameLadders>& games,
                                                const Results& results,
                                                const std::filesystem::path& folder,
                                                const ServerFlags& servers, TruthErrors& errors);

}  // namespace pitboss::clients
