#pragma once

#include "clients/results/serve/followed.hpp"
#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// Writes the report of a run as report.html into its folder: its course in charts, a table of its
/// generations with links to the reports of their evaluations, its settings: what every generation
/// played, learned, and scored against the anchor and earlier networks. Throws UserError.
void write_training_report(const RunFolder& run);

/// A training in a folder.
[[nodiscard]] RunKind training_kind();

}  // namespace pitboss::clients
