#pragma once

#include <utility>
#include <vector>

#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/settings.hpp"

namespace pitboss::clients {

/// Two players who meet: the first and the second player of their matches.
using Pairing = std::pair<const PlayerSettings*, const PlayerSettings*>;

/// The pairings that an experiment file asks for under the key `pairings`; without it everyone
/// meets everyone. They point into `players`. Throws UserError, which names file, line and key.
[[nodiscard]] std::vector<Pairing> pairings_of(const Setting& file,
                                               const std::vector<PlayerSettings>& players);

}  // namespace pitboss::clients
