#pragma once

#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// All that a ledger holds of an experiment, read into memory, and the results that follow from it.
struct LedgerContents {
  std::vector<PlayedRound> played;  ///< by match and number
  std::vector<Incident> incidents;
  Results results;

  /// The games of each match that count, by number.
  [[nodiscard]] std::vector<std::vector<PlayedGame>> games() const;
};

/// Reads and checks a ledger. Blocks. Throws UserError if rounds and games do not fit together
/// (`Ledger::faults`), a round is not whole, or more was played than the experiment has.
[[nodiscard]] LedgerContents read_contents(const Ledger& ledger, const Experiment& experiment);
/// The same without `Ledger::faults`, for a ledger that `read_contents` has read before and only a
/// referee has written to since.
[[nodiscard]] LedgerContents reread_contents(const Ledger& ledger, const Experiment& experiment);

}  // namespace pitboss::clients
