#pragma once

#include <string>

#include "clients/referee/ledger/ledger_place.hpp"

namespace pitboss::clients {

/// Throws UserError, which lists the experiments that there are, unless the database has one of
/// this name. Blocks on the database.
void expect_experiment(const DatabasePlace& database, const std::string& name);

}  // namespace pitboss::clients
