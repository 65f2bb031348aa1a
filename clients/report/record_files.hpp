#pragma once

#include <filesystem>
#include <string>

#include "clients/referee/ledger_contents.hpp"

namespace pitboss::clients {

/// games.csv: a header and one line for each game that counts, by match and number.
[[nodiscard]] std::string games_csv(const LedgerContents& contents);

/// The games of black and white that count as a collection of SGF; of other colours SGF knows
/// nothing.
[[nodiscard]] std::string games_sgf(const LedgerContents& contents);

/// Replaces a file as a whole: a reader, or a crash, meets the old one or the new one. Throws
/// UserError.
void replace_file(const std::filesystem::path& path, const std::string& text);

/// Writes games.csv, summary.json and report.html into the folder, each as a whole or not at all.
/// The first two are functions of the experiment and its games alone, so that two runs agree to the
/// byte. Throws UserError.
void write_records(const std::filesystem::path& folder, const LedgerContents& contents);

}  // namespace pitboss::clients
