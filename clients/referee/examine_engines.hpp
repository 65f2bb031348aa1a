#pragma once

#include <boost/asio/awaitable.hpp>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/declarations.hpp"
#include "clients/referee/engine_pool.hpp"

namespace pitboss::clients {

/// Checks before the first game that each player can play each of its matches, and asks its engine
/// for name, version and options, which go into `declared`. So a missing server, or one without the
/// game, is a user's error and not a lost game. Opens one engine for each set-up and game and
/// leaves it in the pool. Suspends; throws UserError, which names player, location and game.
boost::asio::awaitable<void> examine_engines(const Experiment& experiment, EnginePool& engines,
                                             Declarations& declared);

}  // namespace pitboss::clients
