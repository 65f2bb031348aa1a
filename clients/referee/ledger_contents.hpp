#pragma once

#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// A ledger's records of an experiment, read into memory, and the results that follow from them.
struct LedgerContents {
  std::vector<PlayedRound> played;  ///< by match and number
  std::vector<Incident> incidents;
  Results results;
  std::vector<RefereeEntry> referees = {};  ///< those that have played

  /// The games that count, by match and number.
  [[nodiscard]] std::vector<std::vector<PlayedGame>> games() const;
};

/// Throws UserError unless a match can have such a round.
void check_round(const PlayedRound& round, const Match& match);

/// Reads and checks a ledger. Blocks. Throws UserError if rounds and games contradict each other
/// (`Ledger::faults`), a round is incomplete, or the experiment has fewer games than the ledger.
[[nodiscard]] LedgerContents read_contents(const Ledger& ledger, const Experiment& experiment);
/// The same without `Ledger::faults`, for a ledger that passed `read_contents` and that only
/// referees have written to since. Rounds that others have made the experiment longer by are left
/// out.
[[nodiscard]] LedgerContents reread_contents(const Ledger& ledger, const Experiment& experiment);

}  // namespace pitboss::clients
