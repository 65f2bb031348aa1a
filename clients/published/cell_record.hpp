#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "clients/referee/ledger_contents.hpp"

namespace pitboss::clients {

/// What the repository keeps of a match that was played: all that the pages of docs/results say of
/// it, and no positions. The same games make the same record.
struct CellRecord {
  std::string match;  ///< `configuration` of it: game, players with their options, seed
  std::array<std::string, 2> programs;  ///< what the players' engines say that they are
  /// The SHA-256 of the players' networks; empty for a player without one.
  std::array<std::string, 2> networks{};
  /// Of the game's search in the program that made the record. The players' engines tell none.
  std::string recorder_signature;
  Tally tally;  ///< of the first player
  int failures = 0;
  /// Medians of the players' simulations a move, where time bounds a player and all tell them.
  std::optional<std::array<std::int64_t, 2>> simulations{};
  int distinct_games = 0;
  std::int64_t plies = 0;  ///< of all games together
  Scores rounds;           ///< seen by the first player
  /// Without the rounds in which the same games were played as in an earlier one.
  Scores distinct_rounds;
  std::string sha256;  ///< of the moves and results of all games, in order
};

/// The record of a finished match, which is the only one of `contents`.
[[nodiscard]] CellRecord record_of(const LedgerContents& contents,
                                   const std::string& recorder_signature);

/// Text for a file of records: JSON, a line each.
[[nodiscard]] std::string text_of(const std::vector<CellRecord>& records);
/// The records in a file; none if there is no such file. Throws UserError, which names file and
/// line, for one that cannot be read or contradicts itself.
[[nodiscard]] std::vector<CellRecord> read_records(const std::filesystem::path& path);

}  // namespace pitboss::clients
