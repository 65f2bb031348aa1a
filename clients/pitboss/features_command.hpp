#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss features`: shows and checks files of features.
int features_command(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
