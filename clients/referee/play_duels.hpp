#pragma once

#include <boost/asio/awaitable.hpp>
#include <span>
#include <string>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/players/engine.hpp"
#include "clients/referee/played_game.hpp"

namespace pitboss::clients {

/// Whether both players' engines are at one server that may play their games by itself (`duel`).
[[nodiscard]] bool may_duel(const Match& match);

/// The games that a server has played by itself, of those that it was asked for.
struct DuelEnd {
  std::vector<PlayedGame> records;  ///< of the first ones, in their order
  /// What went wrong in the game after these, or, without records, in any of them; else empty.
  std::string failure;
  bool is_refusal = false;  ///< the server does not play this match so
};

/// Has the first player's engine, which is a Duellist, play both sides of the games with these
/// numbers, which it is told at once; suspends until it answers. Every move is checked by the rules
/// of `games`. A failure, a move that took too long included, loses no game: `play_game` plays that
/// game again and shows whose fault it was. The engine is closed after a failure other than a
/// refusal. Of several games, one that takes longer than a second and those behind it have no
/// record. Throws no EngineFailure.
boost::asio::awaitable<DuelEnd> play_duels(const Match& match, std::span<const int> games,
                                           Engine& engine);

}  // namespace pitboss::clients
