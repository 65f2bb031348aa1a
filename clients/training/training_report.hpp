#pragma once

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// Writes a run's report.html, with the curves so far, as a whole or not at all. Throws UserError.
void write_training_report(const RunFolder& run);

}  // namespace pitboss::clients
