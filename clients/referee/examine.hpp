#pragma once

#include <boost/asio/awaitable.hpp>

#include "clients/experiment/experiment.hpp"
#include "clients/referee/declarations.hpp"
#include "clients/referee/engine_pool.hpp"

namespace pitboss::clients {

/// Makes sure that each player can play each of its matches, with one engine for each set-up and
/// game, which are then left in the pool, and asks what they say of themselves. So a server that is
/// not there, or does not have the game, is the user's error and not a lost game. Throws UserError,
/// which names player, place and game.
boost::asio::awaitable<void> examine(const Experiment& experiment, EnginePool& engines,
                                     Declarations& declared);

}  // namespace pitboss::clients
