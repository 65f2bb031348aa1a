#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "clients/results/document/document.hpp"
#include "clients/results/serve/followed.hpp"
#include "clients/tuning/tuning_run.hpp"

namespace pitboss::clients {

/// The report of a tuning that is over, from its ledger, its summary.json and its games, in the
/// order in which they were proposed: the answer and its fresh match, what the user should note,
/// and what was learned: parameters over time with their bounds, scores by value and by pair of
/// values, the players tried, what went wrong. Its facts are `configuration` and `summary`.
[[nodiscard]] Document tuning_document(const std::string& title,
                                       const std::filesystem::path& folder,
                                       const std::vector<TriedGame>& games);

/// A tuning in a folder, whose games it takes in the order in which they ended.
[[nodiscard]] RunKind tuning_kind();

}  // namespace pitboss::clients
