#pragma once

#include <filesystem>
#include <string>

#include "clients/referee/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// games.csv of all that the ledger holds: a header and one line a game, by match and number.
[[nodiscard]] std::string games_csv(const Experiment& experiment,
                                    const std::vector<PlayedRound>& played);

/// Writes games.csv, summary.json and report.html into the folder, each as a whole or not at all.
/// The first two are functions of the experiment and its games alone, so that two runs agree to the
/// byte. Throws UserError.
void write_records(const std::filesystem::path& folder, const Ledger& ledger,
                   const Results& results);

}  // namespace pitboss::clients
