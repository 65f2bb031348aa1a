#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/engines/engine.hpp"
#include "clients/experiment/match.hpp"
#include "clients/referee/game_record.hpp"

namespace pitboss::clients {

/// The engines of one game, open, in the order of the match's players.
using Engines = std::array<std::unique_ptr<Engine>, 2>;

/// How a game ended.
struct GameEnd {
  GameRecord record;
  /// The player whose engine went away; the record is what it amounts to if that was its own fault.
  std::optional<int> gone;
  /// It went away before it was asked for a move.
  bool is_before_first_move = false;
};

/// Plays game number `game` (from 0). The referee believes its own rules only. An engine that falls
/// silent, talks nonsense, refuses a command or plays an illegal move loses this game and is
/// closed; one that goes away is closed.
boost::asio::awaitable<GameEnd> play_game(const Match& match, int game, Engines& engines);

/// Whether both players' engines are at one server that may play their games by itself (`duel`).
[[nodiscard]] bool may_duel(const Match& match);

/// What came of games that a server was to play by itself.
struct DuelEnd {
  std::vector<GameRecord> records;  ///< of the first ones, in their order
  /// What went wrong, if something did: in the next one, or without records in any of them.
  std::string failure;
  bool is_refusal = false;  ///< the server does not play this match so
};

/// Has the first player's engine, which is a Duellist, play some games against the second player's,
/// whose numbers are `games`, told at once. Whatever goes wrong, a move that took too long
/// included, is nobody's loss yet: who is to blame shows when `play_game` plays the game. The
/// engine is closed then, but for a refusal. Of several games, one that takes longer than a second
/// and those behind it have no record.
boost::asio::awaitable<DuelEnd> play_duels(const Match& match, std::span<const int> games,
                                           Engine& engine);

}  // namespace pitboss::clients
