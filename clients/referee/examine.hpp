#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "clients/engines/declaration.hpp"
#include "clients/experiment/experiment.hpp"
#include "clients/referee/engine_pool.hpp"

namespace pitboss::clients {

/// What the engines of an experiment's players say of themselves, by match and player; nothing
/// where nobody has asked.
using Declarations = std::vector<std::array<std::optional<Declaration>, 2>>;

/// Makes sure that each player can play each of its matches, with one engine for each set-up and
/// game, which are then left in the pool, and asks what they say of themselves. So a server that is
/// not there, or does not have the game, is the user's error and not a lost game. Throws UserError,
/// which names player, place and game.
boost::asio::awaitable<void> examine(const Experiment& experiment, EnginePool& engines,
                                     Declarations& declared);

/// What an engine says of itself other than before games of its match were recorded, a sentence
/// without its full stop: games to come would be another player's. Empty if nothing has changed.
[[nodiscard]] std::string change_since(const Experiment& experiment, const Declarations& recorded,
                                       const Declarations& declared);

/// A sentence for each match between players whose engines do not agree about options that neither
/// player sets.
[[nodiscard]] std::vector<std::string> unequal_defaults(const Experiment& experiment,
                                                        const Declarations& declared);

}  // namespace pitboss::clients
