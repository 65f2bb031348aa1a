#pragma once

#include "clients/referee/ledger/ledger_place.hpp"

namespace pitboss::clients {

/// Copies a ledger, as it is between two transactions, to a place that has none; a referee may be
/// at work. A folder is made if necessary and is then as a referee leaves it. Throws UserError, and
/// leaves no copy, if `to` has a ledger or the one of `from` is damaged.
void copy_ledger(const LedgerPlace& from, const LedgerPlace& to);

}  // namespace pitboss::clients
