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

#include "clients/referee/capacities.hpp"
#include "clients/referee/engine_pool.hpp"
#include "clients/referee/examine_engines.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/referee/schedule.hpp"
#include "clients/referee/server_watch.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// Plays games: `Conduct::concurrency` coroutines play one game after the other, as the locations
/// have capacity, and deal with engines that crash and servers that go away (see `run_experiment`).
/// Which games there are, and what becomes of their records, a derived class says. All of it runs
/// on the calling thread. The members for what goes wrong are in referee_failures.cpp.
class Referee {
 public:
  virtual ~Referee() = default;
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

 protected:
  /// Keeps at most `most_idle` engines open that play no game.
  Referee(const Conduct& conduct, std::size_t most_idle)
      : conduct_(conduct),
        capacities_(conduct.concurrency, conduct.capacities),
        engines_(io_.get_executor(), most_idle),
        server_watch_(io_.get_executor()) {}

  // What a derived class says. A task is known from `next_task` until the first suspension after it
  // was added.
  [[nodiscard]] virtual const Match& match_of(GameTask task) const = 0;
  [[nodiscard]] virtual const DeclaredPair& declared_in(GameTask task) const = 0;
  /// The next game for whose match `has_room` holds; nothing if there is none now.
  [[nodiscard]] virtual std::optional<GameTask> next_task() = 0;
  /// Whether `next_task` can still return a game, now or later.
  [[nodiscard]] virtual bool has_more() const = 0;
  /// No new games; those that belong to games in play may still begin.
  virtual void begin_no_more() = 0;
  virtual void for_each_left(const std::function<void(const Match&)>& use) const = 0;
  /// The game must be played again.
  virtual void again(GameTask task) = 0;
  virtual void add(GameTask task, PlayedGame record) = 0;
  virtual void record(Incident incident) = 0;
  /// Suspends until all is on the disk; nothing follows.
  virtual boost::asio::awaitable<void> settle() = 0;
  virtual void report() = 0;

  /// Looks at the engines of the experiment, which are then in `examined_`.
  void examine(const Experiment& experiment);
  void limit_timed_games(const Experiment& experiment);
  /// Throws UserError if time bounds the searches of a match whose players search on different
  /// machines.
  void expect_one_machine(const Experiment& experiment);
  /// Plays until no game is left or the run is stopped. Games in play are then given up: whoever
  /// continues plays them again, alike. Throws UserError with the reason if it is stopped.
  void play_games(const Experiment& experiment);

  [[nodiscard]] bool has_room(const Match& match) { return room_for(match) > 0; }
  /// How many games of the match could begin now.
  [[nodiscard]] int room_for(const Match& match) {
    return capacities_.room_for(match, environment::AwakeClock::now());
  }
  [[nodiscard]] bool is_down(const Match& match) const { return capacities_.is_down(match); }
  /// Whether the match cannot be played since a location has been down for `Conduct::reconnect`.
  [[nodiscard]] bool is_hopeless(const Match& match) const;
  /// How many games more could be played at once if there were any.
  [[nodiscard]] int idle_loops() const { return conduct_.concurrency - playing_; }
  void note(const std::string& text) { conduct_.on_note(text); }
  void wake_loops() { wake_.cancel(); }
  void start(boost::asio::awaitable<void> task);

  boost::asio::io_context io_{1};
  const Conduct& conduct_;
  Examined examined_;

 private:
  boost::asio::awaitable<void> play_in_turn();
  boost::asio::awaitable<void> play(GameTask task);
  boost::asio::awaitable<void> referee(GameTask task, Engines& engines,
                                       std::array<bool, 2> were_open);
  boost::asio::awaitable<bool> plays_duel(GameTask task, Engine& engine);
  [[noreturn]] void stop_for(const Halt& halt, GameTask task, const Engines& engines);
  boost::asio::awaitable<bool> take_engine(GameTask task, int player, Engines& engines,
                                           std::array<bool, 2>& were_open);
  boost::asio::awaitable<void> look_at(const Experiment& experiment);
  boost::asio::awaitable<void> duel(GameTask task, Engines& engines);
  boost::asio::awaitable<bool> open(Engine& engine, const Player& player);
  boost::asio::awaitable<bool> has_crashed(GameTask task, int player,
                                           environment::AwakeClock::time_point opened);
  void leave_silent(GameTask task, const Standstill& silence, const Engine& engine);
  void play_again(GameTask task, const Standstill& standstill, const Engine& engine);
  boost::asio::awaitable<void> look_for(Player player);
  boost::asio::awaitable<void> report_every_second();

  void mark_down(const Player& player, const EngineFailure& failure);
  [[nodiscard]] bool is_hopeless(const std::string& location) const;
  void stop_if_stuck();
  void note_incident(GameTask task, int player, const std::string& reason, const Engine& engine,
                     bool is_loss);
  void watch_signals();
  void run();

  Capacities capacities_;
  EnginePool engines_;
  ServerWatch server_watch_;
  boost::asio::signal_set signals_{io_};
  boost::asio::steady_timer wake_{io_, std::chrono::steady_clock::time_point::max()};
  std::exception_ptr failure_;

  int playing_ = 0;
  int loops_ = 0;
  bool is_interrupted_ = false;
  std::map<std::string, std::string> why_down_;                // by location
  std::map<std::pair<int, int>, std::array<int, 2>> crashes_;  // by match and game, of each player
  std::map<std::pair<int, int>, int> deaths_;                  // of servers, by match and game
  std::map<std::pair<int, int>, int> standstills_;             // by match and game
  static constexpr int every_game = -1;
  std::set<std::pair<int, int>> no_duels_;  // by match and game, or every_game
  std::map<std::string, int> notes_;        // by player
};

}  // namespace pitboss::clients
