#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <stdexcept>

#include "clients/gtp_client.hpp"
#include "clients/referee/engine.hpp"
#include "clients/referee/game_record.hpp"
#include "clients/referee/match.hpp"

namespace pitboss::clients {

/// The reason of a game lost because its player's server could not be reached.
inline constexpr std::string_view unreachable = "unreachable";

/// Where a game is played: a conversation with each player's engine, kept from game to game.
struct Table {
  explicit Table(const boost::asio::any_io_executor& executor)
      : engines{GtpClient(executor), GtpClient(executor)} {}
  std::array<GtpClient, 2> engines;  ///< in the order of the match's players
};

/// Sets up a player's engine for a game: rules, options, seed. Throws GtpFailure.
boost::asio::awaitable<void> prepare(GtpClient& engine, const Match& match, const Player& player,
                                     std::int64_t seed);

/// Plays game number `game` (from 0) and says how it ended. The referee believes its own rules
/// only. An engine that crashes, falls silent, talks nonsense, refuses a command or plays an
/// illegal move loses this game, and its connection is closed; the next game opens a new one,
/// trying for `reconnect` long.
boost::asio::awaitable<GameRecord> play_game(const Match& match, int game, Table& table,
                                             std::chrono::milliseconds reconnect);

}  // namespace pitboss::clients
