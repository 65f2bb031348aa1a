#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss train`: the process's exit code. Throws UserError.
int train_command(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
