#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

#include "clients/experiments/match.hpp"
#include "clients/players/declarations.hpp"
#include "clients/players/engine.hpp"
#include "clients/referee/ledger/played_game.hpp"
#include "clients/referee/server_watch.hpp"

namespace pitboss::clients {

/// The engines of one game, open, in the order of the match's players.
using Engines = std::array<std::unique_ptr<Engine>, 2>;

/// Why a match cannot go on: an engine is another than the one that the match began with, or a
/// server cannot do what it did before. No player has lost the game.
struct Halt {
  int player;
  std::string why;  ///< a sentence without its full stop, which names player and server
};

/// Why a game has to be played again: the referee, its machine or an engine's program stood still
/// (environment::AwakeClock) when time decided how the game would go on. Nobody has lost it.
struct Standstill {
  int player;       ///< whose move it was
  std::string why;  ///< "time stood still for 10.2 s"
};

/// How a game ended.
struct GameEnd {
  std::optional<Halt> halt{};              ///< then the rest tells nothing
  std::optional<Standstill> standstill{};  ///< then the rest tells nothing
  /// An engine has not answered in time, and nor does its whole server, which is stopped or frozen;
  /// then the rest tells nothing.
  std::optional<Standstill> silence{};
  PlayedGame record{};
  /// The player whose engine went away; the record is what it amounts to if that was its own fault.
  std::optional<int> gone{};
  /// It went away before it was asked for a move.
  bool is_before_first_move = false;
};

/// Plays game number `game` (from 0) of a match between two open engines, move by move; suspends
/// until it is over. The engines have to be what was declared, when they are set up and with every
/// move, as far as they tell. Every move is checked by the rules of `games`. A player whose move
/// takes longer than its clock and the match's margin allow loses on time: by the engine's own
/// clock, if it tells (Engine::move_time), else by the referee's. An engine that does not answer in
/// time, sends garbage, refuses a command or plays an illegal move loses this game and is closed;
/// one that goes away is closed. An engine of ours whose server says by a failure's code that it
/// cannot do what it did before halts the match. A gap in which this process stood still counts for
/// nobody: no wait is shorter for it, and what it may have decided is a Standstill: a loss on time,
/// by silence or of the connection, and a move whose search time bounds. Throws no EngineFailure.
boost::asio::awaitable<GameEnd> play_game(const Match& match, int game,
                                          const DeclaredPair& declared, Engines& engines,
                                          const ServerWatch& servers);

/// Whether both players' engines are at one server that may play their games by itself (`duel`).
[[nodiscard]] bool may_duel(const Match& match, const DeclaredPair& declared);

/// How a game ended that a server was to play by itself.
struct DuelEnd {
  std::optional<Halt> halt;              ///< then the rest tells nothing
  std::optional<Standstill> standstill;  ///< then the rest tells nothing
  std::optional<PlayedGame> record;
  std::string failure;      ///< what went wrong; empty if nothing did
  bool is_refusal = false;  ///< the server does not play this game so
  bool is_for_now = false;  ///< but it may play others of the match: it is busy
};

/// Has the first player's engine, which is a Duellist, play both sides of game number `game`;
/// suspends until it is over. The second engine takes no part and may be missing. Every move is
/// checked by the rules of `games`. A failure, a move that took too long included, does not lose
/// the game: `play_game` plays it again and shows whose fault it was. The engine is closed after a
/// failure other than a refusal. Throws no EngineFailure.
boost::asio::awaitable<DuelEnd> play_duel(const Match& match, int game,
                                          const DeclaredPair& declared, Engines& engines);

/// Sets up the second player's engine for that game, which is to be played as a duel, and ends
/// without a record; it halts the match if the engine is not what was declared. The first engine
/// takes no part and may be missing. Otherwise as `play_duel`.
boost::asio::awaitable<DuelEnd> set_up_opponent(const Match& match, int game,
                                                const DeclaredPair& declared, Engines& engines);

}  // namespace pitboss::clients
