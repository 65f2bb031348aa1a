#pragma once

#include <memory>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/ledger/outage.hpp"
#include "clients/referee/ledger/store.hpp"

/// Private to this folder.
namespace pitboss::clients {

/// The database at a place; `is_tuning` if it may have to be made, for a tuning.
[[nodiscard]] std::unique_ptr<Store> store_at(const LedgerPlace& place,
                                              Outage outage = Outage::is_waited_for,
                                              bool is_tuning = false);
/// Opens a ledger that exists. Throws UserError, which names both formats, for one of another
/// format than ours, and for a damaged one.
void open_ledger(Store& store);
/// The ledger at a place, open. Throws UserError if there is none.
[[nodiscard]] std::unique_ptr<Store> existing_ledger(const LedgerPlace& place,
                                                     Outage outage = Outage::is_waited_for);
/// Makes a ledger that is still without an experiment; false if somebody else has made one.
[[nodiscard]] bool create_ledger(Store& store, const Store::Work& fill);

}  // namespace pitboss::clients
