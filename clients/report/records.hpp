#pragma once

#include <filesystem>
#include <string>

#include "clients/referee/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// games.csv of all that the ledger holds: a header and one line a game, by match and number.
[[nodiscard]] std::string games_csv(const Experiment& experiment,
                                    const std::vector<PlayedRound>& played);

/// The recorded games of black and white as a collection of SGF; of other colours SGF knows
/// nothing.
[[nodiscard]] std::string games_sgf(const Experiment& experiment,
                                    const std::vector<PlayedRound>& played);

/// Replaces a file as a whole: a reader, or a crash, meets the old one or the new one. Throws
/// UserError.
void replace_file(const std::filesystem::path& path, const std::string& text);

/// Writes games.csv, summary.json and report.html of what a ledger holds into the folder, each as a
/// whole or not at all. The first two are functions of the experiment and its games alone, so that
/// two runs agree to the byte. Throws UserError.
void write_records(const std::filesystem::path& folder, const Ledger& ledger,
                   const Results& results);
/// The same into the folder of the ledger.
void write_records(const std::filesystem::path& folder, const Results& results);

}  // namespace pitboss::clients
