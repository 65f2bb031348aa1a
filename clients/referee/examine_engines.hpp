#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <optional>
#include <string>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/declarations.hpp"
#include "clients/referee/engine_pool.hpp"

namespace pitboss::clients {

/// What an experiment's engines have told before its first game.
struct Examined {
  Declarations declared;
  /// By location, as `text_of` writes it: how many threads search at once at a server; nothing of
  /// one that does not tell, and of a program.
  std::map<std::string, std::optional<int>> workers;
};

/// Checks before the first game that each player can play each of its matches, and asks its engine
/// for name, version, options, and its server for its workers, all of which goes into `examined`.
/// So a missing server, or one without the game, is a user's error and not a lost game. Opens one
/// engine for each set-up and game and leaves it in the pool. Suspends; throws UserError, which
/// names player, location and game.
boost::asio::awaitable<void> examine_engines(const Experiment& experiment, EnginePool& engines,
                                             Examined& examined);

}  // namespace pitboss::clients
