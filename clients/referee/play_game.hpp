#pragma once

#include <boost/asio/awaitable.hpp>

#include "clients/experiments/match.hpp"
#include "clients/referee/game_in_play.hpp"

namespace pitboss::clients {

/// Plays game number `game` (from 0) of a match between two open engines, move by move; suspends
/// until it is over. Every move is checked by the rules of `games`. An engine that does not answer
/// in time, sends garbage, refuses a command or plays an illegal move loses this game and is
/// closed; one that goes away is closed. Throws no EngineFailure.
boost::asio::awaitable<GameEnd> play_game(const Match& match, int game, Engines& engines);

}  // namespace pitboss::clients
