#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/players/declaration.hpp"

namespace pitboss::clients {

/// What the engines of an experiment's players say of themselves, by match and player; nothing
/// where it is not known.
using Declarations = std::vector<std::array<std::optional<Declaration>, 2>>;

/// What a player's engine says of itself and did not say when games of it were recorded, a sentence
/// without its full stop: games to come would be another player's. Empty if nothing has changed
/// that it told before and tells now.
[[nodiscard]] std::string change_since(const Experiment& experiment, const Declarations& recorded,
                                       const Declarations& declared);

/// A sentence for each match between players whose engines do not agree about options that neither
/// player sets; none where their presets differ.
[[nodiscard]] std::vector<std::string> unequal_defaults(const Experiment& experiment,
                                                        const Declarations& declared);

}  // namespace pitboss::clients
