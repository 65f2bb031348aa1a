#pragma once

#include <filesystem>

#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// This process as a referee that keeps its files in this folder: another one at each call, of a
/// name that folder and machine have until the machine starts anew.
[[nodiscard]] RefereeEntry new_referee(const std::filesystem::path& folder);

}  // namespace pitboss::clients
