#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss grow`: grows features by self-play.
int grow_command(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
