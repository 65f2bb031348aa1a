#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss ledger ...`: shows, exports, merges and verifies ledgers. Returns the exit code. Throws
/// UserError.
int ledger(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
