#pragma once

#include <vector>

#include "clients/referee/ledger/ledger_place.hpp"

namespace pitboss::clients {

/// The numbers of rounds that `merge_ledgers` has found.
struct Merged {
  int added = 0;      ///< rounds new to the target
  int known = 0;      ///< rounds that the target had, move by move
  int differing = 0;  ///< rounds that the target had with other games, which stay
};

/// Adds the ledgers `sources`, in that order, to the ledger `target`, which is
/// made if it does not exist. All is written in one transaction. Throws UserError, also for a
/// source that has no match in common with the ledgers before it.
Merged merge_ledgers(const LedgerPlace& target, const std::vector<LedgerPlace>& sources);

}  // namespace pitboss::clients
