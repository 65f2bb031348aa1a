#pragma once

#include <filesystem>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/examine_engines.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// This process as a referee that keeps its files in this folder: another one at each call, of a
/// name that folder and machine have until the machine starts anew. Host and processor are those of
/// the machines where the experiment's engines search; of a server that does not tell, its address.
[[nodiscard]] RefereeEntry new_referee(const std::filesystem::path& folder,
                                       const Experiment& experiment, const Examined& examined);

}  // namespace pitboss::clients
