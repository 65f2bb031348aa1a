#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/capacities.hpp"
#include "clients/referee/engine_pool.hpp"
#include "clients/referee/examine_engines.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/referee/schedule.hpp"
#include "clients/referee/server_watch.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// A game to be played, and what its engines have to be. Match and declarations stay where they are
/// until the first suspension after the game is done.
struct Assignment {
  GameTask task;
  const Match& match;
  const DeclaredPair& declared;
};

/// What there is to play.
struct Next {
  std::optional<Assignment>
      game;              ///< for whose match `Referee::has_room` holds; or there is none now
  bool has_more = true;  ///< whether there may be one later
};

/// What a referee's owner hands it: where games come from, and where they go. All is called on the
/// thread that runs the referee.
struct RefereeCalls {
  std::function<Next()> next;
  /// The matches of games that have not begun and that nobody else plays.
  std::function<std::vector<const Match*>()> left;
  /// The game has ended; without a record it must be played again.
  std::function<void(GameTask, std::optional<PlayedGame>)> done;
  /// Something went wrong in a game.
  std::function<void(Incident)> note;
  /// The user wants to end: no new games, but those that belong to games in play.
  std::function<void()> begin_no_more;
  /// Called before the first game, and about once a second.
  std::function<void()> report;
};

/// Plays games: `Conduct::concurrency` coroutines play one game after the other, as the locations
/// have capacity, and deal with engines that crash and servers that go away (see `run_experiment`).
/// All of it runs on the thread that calls `run`. The members for what goes wrong are in
/// referee_failures.cpp.
class Referee {
 public:
  /// Keeps at most `most_idle` engines open that play no game. The conduct must outlive it.
  Referee(const Conduct& conduct, std::size_t most_idle, RefereeCalls calls)
      : conduct_(conduct),
        calls_(std::move(calls)),
        capacities_(conduct.concurrency, conduct.capacities),
        engines_(io_.get_executor(), most_idle),
        server_watch_(io_.get_executor()) {}

  [[nodiscard]] auto executor() { return io_.get_executor(); }

  /// Looks at the engines of the experiment, but of finished matches, which are then in `examined`;
  /// where time bounds
  /// searches, games at once are limited to what their locations have processors for. Throws
  /// UserError, also if time bounds the searches of a match whose players search on different
  /// machines.
  void examine(const Experiment& experiment, std::set<const Match*> finished = {});
  [[nodiscard]] const Examined& examined() const { return examined_; }

  /// Blocks until the task has ended, or the user has stopped the run: games in play are then given
  /// up, and whoever continues plays them again, alike. Throws what the task, or another that was
  /// started, throws.
  void run(boost::asio::awaitable<void> task);
  /// Begins a task that runs beside.
  void start(boost::asio::awaitable<void> task);
  /// Suspends until no game is left. Throws UserError with the reason if the others cannot be
  /// played.
  boost::asio::awaitable<void> play_games(const Experiment& experiment);

  [[nodiscard]] bool has_room(const Match& match) { return room_for(match) > 0; }
  /// How many games of the match could begin now.
  [[nodiscard]] int room_for(const Match& match) {
    if (is_unusable(match)) return 0;
    return capacities_.room_for(match, environment::AwakeClock::now());
  }
  [[nodiscard]] bool is_down(const Match& match) const {
    return is_unusable(match) || capacities_.is_down(match);
  }
  /// Whether the match cannot be played: by what `examine` has found, or since a location has been
  /// down for `Conduct::reconnect`.
  [[nodiscard]] bool is_hopeless(const Match& match) const;
  /// How many games more could be played at once if there were any.
  [[nodiscard]] int idle_loops() const { return conduct_.concurrency - playing_; }
  /// Whether a signal has asked for the end.
  [[nodiscard]] bool is_interrupted() const { return is_interrupted_; }
  /// There may be another game to play.
  void wake_loops() { wake_.cancel(); }

 private:
  boost::asio::awaitable<void> play_in_turn();
  boost::asio::awaitable<void> play(Assignment game);
  boost::asio::awaitable<void> referee(Assignment game, Engines& engines,
                                       std::array<bool, 2> were_open);
  boost::asio::awaitable<std::optional<std::string>> duelling_instance(Assignment game,
                                                                       Engine& engine);
  [[noreturn]] void stop_for(const Halt& halt, Assignment game, const Engines& engines);
  boost::asio::awaitable<bool> take_engine(Assignment game, int player, Engines& engines,
                                           std::array<bool, 2>& were_open);
  boost::asio::awaitable<void> look_at_opponent(Assignment game, Engines& engines);
  void end_duel(Assignment game, int player, DuelEnd end, const Engines& engines);
  boost::asio::awaitable<bool> open(Engine& engine, const Player& player);
  boost::asio::awaitable<bool> has_crashed(Assignment game, int player,
                                           environment::AwakeClock::time_point opened);
  void leave_silent(Assignment game, const Standstill& silence, const Engine& engine);
  void play_again(Assignment game, const Standstill& standstill, const Engine& engine);
  boost::asio::awaitable<void> look_for(Player player);
  boost::asio::awaitable<void> report_every_second();
  boost::asio::awaitable<void> until_woken();

  void mark_down(const Player& player, const EngineFailure& failure);
  [[nodiscard]] bool is_hopeless(const std::string& location) const;
  void stop_if_stuck();
  void note_incident(Assignment game, int player, const std::string& reason, const Engine& engine,
                     bool is_loss);
  void limit_timed_games(const Experiment& experiment);
  void expect_one_machine(const Experiment& experiment) const;
  [[nodiscard]] bool is_unusable(const Match& match) const {
    return examined_.unusable.contains(&match);
  }
  [[nodiscard]] bool is_finished(const Match& match) const {
    return examined_.finished.contains(&match);
  }
  void note(const std::string& text) const { conduct_.on_note(text); }
  void watch_signals();

  boost::asio::io_context io_{1};
  const Conduct& conduct_;
  RefereeCalls calls_;
  Examined examined_;
  Capacities capacities_;
  EnginePool engines_;
  ServerWatch server_watch_;
  boost::asio::signal_set signals_{io_};
  boost::asio::steady_timer wake_{io_, std::chrono::steady_clock::time_point::max()};
  std::exception_ptr failure_;

  int playing_ = 0;
  int loops_ = 0;
  bool is_interrupted_ = false;
  std::map<std::string, std::string> why_down_;     // by location
  std::map<GameTask, std::array<int, 2>> crashes_;  // of each player
  std::map<GameTask, int> deaths_;                  // of servers
  std::map<GameTask, int> standstills_;
  static constexpr int every_game = -1;
  std::set<GameTask> no_duels_;  // perhaps for every_game
  /// Matches whose second player's engine was looked at, and the instances of servers where.
  std::set<std::pair<int, std::string>> opponents_seen_;
  std::map<std::string, int> notes_;  // by player
};

}  // namespace pitboss::clients
