#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/players/gtp_client.hpp"
#include "environment/awake_clock.hpp"
#include "games/game.hpp"
#include "protocol/time_settings.hpp"

namespace pitboss::clients {

/// How long the referee waits for the answer to a command other than `genmove`, once the engine has
/// begun its first game (before: Player::start_timeout), and for a connection.
inline constexpr std::chrono::milliseconds command_timeout = std::chrono::seconds(20);
inline constexpr std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);

/// What an engine has spent on a move, as far as it tells.
struct Effort {
  std::optional<std::int64_t> simulations;
  std::optional<std::int64_t> depth;         ///< in plies
  std::optional<std::int64_t> processor_us;  ///< microseconds of processor time
  std::optional<std::int64_t> search_us;     ///< microseconds from the search's begin to its end
  bool is_exact = false;                     ///< an exact solver has found the move
  friend bool operator==(const Effort&, const Effort&) = default;
};

/// What an engine tells of a move that it has made.
struct MoveFigures {
  std::optional<double> value;  ///< for its mover, in [0, 1]
  Effort effort;
  friend bool operator==(const MoveFigures&, const MoveFigures&) = default;
};

/// Who has computed the values of a player's network in a game.
struct Evaluations {
  std::int64_t remote = 0;  ///< other machines
  std::int64_t local = 0;   ///< the daemon's own kernels
  friend bool operator==(const Evaluations&, const Evaluations&) = default;
};

/// The name under which a declaration has how a program writes moves, where that was found out.
inline constexpr std::string_view dialect_option = "dialect";

/// What an engine says of itself, with the player's options set: printable texts of bounded length,
/// whatever the engine has sent.
struct Declaration {
  std::string program;  ///< name and version; empty if it does not tell
  /// Its options and their values, at least of those that the player does not set; without the
  /// seed, which the referee sets. Empty if it does not tell.
  std::map<std::string, std::string> options;

  void set_program(std::string_view text);
  /// Keeps the option if there are not too many yet.
  void add_option(std::string_view name, std::string_view value);
  /// Whether the texts are such as `set_program` and `add_option` leave.
  [[nodiscard]] bool is_sound() const;

  friend bool operator==(const Declaration&, const Declaration&) = default;
};

/// What a server says of itself and its machine: printable texts of bounded length.
struct ServerFacts {
  std::string build;       ///< program, version and commit
  std::string host;        ///< the machine's name
  std::string processor;   ///< its model, and how many threads it runs
  std::string boot;        ///< see environment::boot_id; may be empty
  std::string instance{};  ///< another text each time that the program is started; may be empty
};

/// The part of a game that a server has played by itself.
struct Exchange {
  std::vector<std::string> moves;    ///< as it wrote them; at least one
  std::vector<MoveFigures> figures;  ///< of each move, as far as it tells
  /// Wall time in seconds of all moves, and of the longest: the engine's own player's, the other's.
  std::array<double, 2> seconds{};
  std::array<double, 2> longest{};
};

/// An engine at a server that can play both sides of a game by itself (`duel`), each set up as its
/// player is. The coroutines suspend and throw EngineFailure.
class Duellist {
 public:
  virtual ~Duellist() = default;
  /// The server's `ServerFacts::instance`; nothing if it has no command `duel`. Asks at most once a
  /// connection.
  virtual boost::asio::awaitable<std::optional<std::string>> duelling_instance() = 0;
  /// Has the server play on from the last move that it was told, against an engine set up as
  /// `other` with that seed, until the game is over, `plies` moves have been made (at most
  /// `most_plies`), or a move ends after a second. `owner` of each colour is 0 (the engine's own
  /// player) or 1. The moves are not checked. Waits at most a second and `timeout`.
  virtual boost::asio::awaitable<Exchange> duel(const Player& other, std::int64_t other_seed,
                                                std::span<const int> owner, int plies,
                                                std::chrono::milliseconds timeout) = 0;
  static constexpr int most_plies = 1'000'000;
};

/// The interface to a player's engine, whatever it speaks, on a server or as a program that we
/// start. It plays one game at a time, and serves one coroutine at a time, on the thread of its
/// executor. What returns an awaitable suspends and throws EngineFailure; after a failure other
/// than a refusal the engine is closed, and `open` starts it anew.
class Engine {
 public:
  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Connects to the server or starts the program, and checks that it speaks the player's language.
  virtual boost::asio::awaitable<void> open() = 0;
  [[nodiscard]] virtual bool is_open() const = 0;
  /// Whether it is open and the other end has not closed the connection. Does not block.
  [[nodiscard]] virtual bool is_alive() const = 0;
  /// When it was opened last.
  [[nodiscard]] virtual environment::AwakeClock::time_point opened() const = 0;
  /// Ends the connection or the program, at once.
  virtual void close() = 0;

  /// Checks that the engine can play the match: it has the game and takes the options. The failure
  /// says what is wrong. Returns what the engine then says of itself, with the hashes of its
  /// network and features.
  virtual boost::asio::awaitable<Declaration> examine(const Match& match) = 0;
  /// What the engine has said of itself in this game: all but the hashes with the answers to
  /// `begin`, and with the figures of its moves the hashes of what its searches have used; of two
  /// networks both, with a blank between them.
  [[nodiscard]] virtual Declaration declaration() const { return {}; }
  /// Sets up a game of the match in its initial position. `seed` is for this engine and game; only
  /// one of ours is told.
  virtual boost::asio::awaitable<void> begin(const Match& match, std::int64_t seed) = 0;
  /// Tells the engine a move of the opening or of the opponent, as `games` writes it. A refusal may
  /// be thrown only by the next call.
  virtual boost::asio::awaitable<void> play(games::Colour mover, std::string move) = 0;
  /// Tells what the clock of a colour shows (nothing: it has none), for the next `genmove`.
  void tell_time(games::Colour colour, const std::optional<protocol::TimeLeft>& left) {
    time_left_[games::index(colour)] = left;
  }
  /// Asks for a move of `mover` and waits up to `timeout`. Returns the engine's
  /// answer, in the notation of `games` if it can be read, or "resign"; its legality is not
  /// checked.
  virtual boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                                      std::chrono::milliseconds timeout) = 0;
  /// How long the last move took by the engine's own clock, without its way here; nothing if the
  /// engine does not tell.
  [[nodiscard]] virtual std::optional<std::chrono::duration<double>> move_time() const {
    return std::nullopt;
  }
  /// The same engine if it is one of ours, which may be able to play both sides; else null.
  [[nodiscard]] virtual Duellist* duellist() { return nullptr; }
  /// The figures of the moves that `genmove` has given in this game, in their order, as far as it
  /// tells: none of an engine that is not ours. Asks for what it has not told yet, which is the
  /// last move's at most, unless the engine is closed: then that is missing.
  virtual boost::asio::awaitable<std::vector<MoveFigures>> figures() {
    co_return std::vector<MoveFigures>();
  }

  /// Ends what the engine still does for a game that is over: it ponders no more.
  virtual boost::asio::awaitable<void> finish() { co_return; }

  /// How many threads search at once at its server, for all clients together; nothing if it does
  /// not tell, or has no server.
  virtual boost::asio::awaitable<std::optional<int>> workers() { co_return std::nullopt; }

  /// What its server tells of itself; nothing if it does not tell, or has no server.
  virtual boost::asio::awaitable<std::optional<ServerFacts>> about() { co_return std::nullopt; }
  /// Whether the engine's program was stopped from outside (SIGSTOP) since the game began or the
  /// last call; false for an engine at a server. Stays to be asked after a failure.
  [[nodiscard]] virtual bool was_stopped() { return false; }
  /// Identifies how its server searches in the match's game: a hash of what searches with fixed
  /// options do, whatever the player's are. To be asked for before `examine` or between two games.
  /// Empty if that cannot be told.
  virtual boost::asio::awaitable<std::string> signature(const Match&) { co_return ""; }

  /// Those of this game so far, as told with the figures of its moves; 0 for an engine that does
  /// not tell or has no network.
  [[nodiscard]] virtual Evaluations evaluations() const { return {}; }

  /// The last lines sent and received, and what the program wrote to standard error: at most
  /// 4 KiB of printable text, for the record of a failure. Stays after `close` until `open`.
  [[nodiscard]] virtual std::string excerpt() const = 0;

 protected:
  /// What the clock of a colour shows; nothing without a clock.
  [[nodiscard]] const std::optional<protocol::TimeLeft>& time_left(games::Colour colour) const {
    return time_left_[games::index(colour)];
  }

 private:
  std::array<std::optional<protocol::TimeLeft>, 4> time_left_{};  ///< by colour
};

/// An engine for `player`, not yet open. Its coroutines run on `executor`.
[[nodiscard]] std::unique_ptr<Engine> make_engine(const boost::asio::any_io_executor& executor,
                                                  const Player& player);

}  // namespace pitboss::clients
