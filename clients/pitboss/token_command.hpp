#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss token`: makes a token, and the line for the file of a daemon's tokens. Returns the exit
/// code; throws UserError.
[[nodiscard]] int token(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
