#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "clients/referee/ledger_contents.hpp"

namespace pitboss::clients {

/// games.csv: a header and one line for each game that counts, by match and number.
[[nodiscard]] std::string games_csv(const LedgerContents& contents);

/// What `write_sgf` has done.
struct SgfFiles {
  int written = 0;
  int left_out = 0;  ///< games of other colours than black and white, which SGF does not have
};
/// Writes each game that counts as SGF into a file of its own in the folder, which is made. The
/// names contain the numbers of match and game, the kind of game, and the players of black and
/// white ("02-0017-hex-novel-plain.sgf"), and sort as the games do. Throws UserError.
SgfFiles write_sgf(const std::filesystem::path& folder, const LedgerContents& contents);

/// Replaces a file as a whole: a reader finds the old or the new file, also after a crash. Throws
/// UserError.
void replace_file(const std::filesystem::path& path, const std::string& text);

/// Writes games.csv, summary.json and report.html into the folder, each as a whole or not at all.
/// If time bounds no search, two runs' summary.json agree to the byte, and games.csv but for the
/// seconds. `on_written` is told the name of each that is there. Throws UserError at the first that
/// cannot be written.
void write_records(
    const std::filesystem::path& folder, const LedgerContents& contents,
    const std::function<void(const std::string&)>& on_written = [](const std::string&) {});

}  // namespace pitboss::clients
