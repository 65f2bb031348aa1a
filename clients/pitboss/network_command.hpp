#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss network`: makes, shows, checks and times the files of networks. Returns the exit code;
/// throws UserError.
int network(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
