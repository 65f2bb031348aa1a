#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/engines/declaration.hpp"
#include "clients/engines/gtp_client.hpp"
#include "clients/experiment/match.hpp"
#include "games/game.hpp"

namespace pitboss::clients {

/// How long the referee waits for what is not a move.
inline constexpr std::chrono::milliseconds command_timeout = std::chrono::seconds(20);
inline constexpr std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);

/// What a server has played of a game by itself.
struct Exchange {
  std::vector<std::string> moves;  ///< as it wrote them; at least one
  /// Wall time of all moves, and of the longest one: of the engine's own player, of the other one.
  std::array<double, 2> seconds{};
  std::array<double, 2> longest{};
};

/// An engine at a server that can play both sides of a game by itself, each set up as its player
/// is.
class Duellist {
 public:
  virtual ~Duellist() = default;
  /// Whether the server knows how; asks at most once.
  virtual boost::asio::awaitable<bool> can_duel() = 0;
  /// As `Engine::begin`, but the engine hears of it in `fight`.
  virtual void announce(const Match& match, std::int64_t seed) = 0;
  /// To be played on from the last move that was told, against an engine set up as `other` with
  /// that seed: until the game is over, `plies` moves have been made (at most `most_plies`), or one
  /// has been done after a second. `owner` of each colour is 0, the engine's own player, or 1. The
  /// engine hears of it in `fight`; another game of the match may be announced before that.
  virtual void challenge(const Player& other, std::int64_t other_seed, std::span<const int> owner,
                         int plies) = 0;
  /// What came of the challenges since the last time, one for each, in their order. Nobody has
  /// checked the moves. Waits for a second and `timeout` a challenge, and for setting up. After a
  /// failure nothing is left of any of them.
  virtual boost::asio::awaitable<std::vector<Exchange>> fight(
      std::chrono::milliseconds timeout) = 0;
  static constexpr int most_plies = 1'000'000;
};

/// One player's engine at one table, whatever it speaks and wherever it runs: one game at a time,
/// for one coroutine at a time. What returns an awaitable suspends and throws GtpFailure; after a
/// failure other than a refusal the engine is closed, and `open` starts it anew.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Connects to the server or starts the program, and makes sure that it speaks the dialect.
  virtual boost::asio::awaitable<void> open() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Whether it is open and the other end has not gone away, as far as the system knows yet.
  [[nodiscard]] virtual bool is_alive() const = 0;
  /// When it was opened last.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point opened() const = 0;
  /// Ends the connection or the program, at once.
  virtual void close() = 0;

  /// Makes sure that it can play the match at all: has the game, takes the options. The failure
  /// says what is wrong. Returns what it then says of itself.
  virtual boost::asio::awaitable<Declaration> examine(const Match& match) = 0;
  /// Sets up a game of the match in its initial position. `seed` is for this engine and game; an
  /// engine of another kind may have no use for it.
  virtual boost::asio::awaitable<void> begin(const Match& match, std::int64_t seed) = 0;
  /// Tells a move of the opening or of the opponent, as our rules write it. What the engine has to
  /// say about it may come with its next answer.
  virtual boost::asio::awaitable<void> play(games::Colour mover, std::string move) = 0;
  /// Asks for a move of `mover` and waits up to `timeout`. The answer is the engine's, in our
  /// notation if it can be read at all: "resign" resigns, and nobody has checked it yet.
  virtual boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                                      std::chrono::milliseconds timeout) = 0;
  /// The same engine, if it is of a kind that may know how to play both sides; else null.
  [[nodiscard]] virtual Duellist* duellist() { return nullptr; }
  /// The value in [0, 1], for its mover, that the last `genmove` has found; nothing if it does not
  /// tell.
  virtual boost::asio::awaitable<std::optional<double>> value() = 0;

  /// The last lines that were exchanged, and what the program wrote to standard error: at most
  /// 4 KiB of printable text, for the record of a failure. Stays after `close` until `open`.
  [[nodiscard]] virtual std::string excerpt() const = 0;
};

/// An engine for `player`, not yet open. Its coroutines run on `executor`.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const boost::asio::any_io_executor& executor,
                                                  const Player& player);

}  // namespace pitboss::clients
