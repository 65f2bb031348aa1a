#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss selfplay`: the process's exit code. Throws UserError.
int selfplay(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
