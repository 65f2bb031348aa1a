#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss load ...`: measures how many commands a second a server answers, and how fast. Returns
/// the exit code. Throws UserError.
int load(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
