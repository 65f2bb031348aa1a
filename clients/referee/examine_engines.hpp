#pragma once

#include <boost/asio/awaitable.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "clients/experiments/experiment.hpp"
#include "clients/players/declarations.hpp"
#include "clients/referee/engine_pool.hpp"

namespace pitboss::clients {

/// What an experiment's engines have told before its first game.
struct Examined {
  Declarations declared;
  /// By location, as `text_of` writes it: how many threads search at once at a server; nothing of
  /// one that does not tell, and of a program.
  std::map<std::string, std::optional<int>> workers;
  /// By location, too: what a server tells of itself.
  std::map<std::string, std::optional<ServerFacts>> servers;
  /// Matches that cannot be played here, and why: a sentence without its full stop.
  std::map<const Match*, std::string> unusable;
  /// Matches of which no game is left, whose engines are not asked and may be gone.
  std::set<const Match*> finished;
};

/// On which machine the engines at a location search, and what they are there; nothing of a server
/// elsewhere that does not tell. Programs, and silent servers at loopback, are here.
[[nodiscard]] std::optional<ServerFacts> facts_of(const Location& location,
                                                  const Examined& examined);

/// Throws UserError if the player is a program, and none of these.
void expect_allowed(const Player& player, const std::set<std::string>& programs);

/// Checks before the first game that each player can play each of its matches, but those that
/// `examined` has as finished, and asks its engine
/// for name, version, options, and its server for its workers, its build and its machine, all of
/// which goes into `examined`. The declaration of an engine whose server tells its build has the
/// `signature` of its searches, too.
/// So a missing server, or one without the game, is a user's error and not a lost game. Opens one
/// engine for each set-up and game and leaves it in the pool. Suspends; throws UserError, which
/// names player, location and game.
///
/// With `programs`, only these are started, as `text_of` writes them, and UserError is thrown only
/// if no match can be played; the others are then not declared.
boost::asio::awaitable<void> examine_engines(const Experiment& experiment,
                                             const std::optional<std::set<std::string>>& programs,
                                             EnginePool& engines, Examined& examined);

}  // namespace pitboss::clients
