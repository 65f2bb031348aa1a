#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss referee ...`: plays an experiment and prints its results. Blocks until it ends. Returns
/// the exit code. Throws UserError before the first game.
int referee(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
