#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss ledger ...`: looks into the records of experiments. Returns the exit code.
int ledger(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
