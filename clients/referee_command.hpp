#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss referee ...`: plays a match and says how it ended. Returns the exit code.
int referee(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
