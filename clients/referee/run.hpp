#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <exception>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/capacities.hpp"
#include "clients/referee/engine_pool.hpp"
#include "clients/referee/examine_engines.hpp"
#include "clients/referee/ledger/ledger_writer.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/referee/schedule.hpp"
#include "clients/referee/server_watch.hpp"

namespace pitboss::clients {

/// The run of an experiment (see `run_experiment`): `Conduct::concurrency` coroutines that play one
/// game after the other, as the schedule says and the locations have capacity, and the writer of
/// the ledger. All of it runs on the calling thread but for the writer. The members for what goes
/// wrong are in run_failures.cpp.
class Run {
 public:
  Run(const Experiment& experiment, const Conduct& conduct)
      : experiment_(experiment),
        conduct_(conduct),
        ledger_(conduct.folder, experiment),
        contents_(read_contents(ledger_, experiment)),
        schedule_(experiment, contents_.played),
        capacities_(conduct.concurrency, conduct.capacities),
        engines_(io_.get_executor()),
        server_watch_(io_.get_executor()) {
    contents_.played.clear();
    contents_.incidents.clear();
    drop_decided();
  }

  RunEnd play();

 private:
  void play_games();
  boost::asio::awaitable<void> play_in_turn();
  boost::asio::awaitable<void> play(GameTask task);
  boost::asio::awaitable<void> referee(GameTask task, Engines& engines,
                                       std::array<bool, 2> were_open);
  boost::asio::awaitable<bool> plays_duel(GameTask task, Engine& engine);
  [[noreturn]] void stop_for(const Halt& halt, GameTask task, const Engines& engines);
  void add(GameTask task, PlayedGame record);
  boost::asio::awaitable<bool> take_engine(GameTask task, int player, Engines& engines,
                                           std::array<bool, 2>& were_open);
  boost::asio::awaitable<void> examine();
  void limit_timed_games();
  boost::asio::awaitable<void> duel(GameTask task, Engines& engines);
  boost::asio::awaitable<bool> open(Engine& engine, const Player& player);
  boost::asio::awaitable<bool> has_crashed(GameTask task, int player,
                                           std::chrono::steady_clock::time_point opened);
  boost::asio::awaitable<void> look_for(Player player);
  boost::asio::awaitable<void> write_round(PlayedRound round);
  boost::asio::awaitable<void> report_every_second();

  [[nodiscard]] std::optional<GameTask> next_task();
  void mark_down(const Player& player, const EngineFailure& failure);
  void stop_if_stuck();
  void note_incident(GameTask task, int player, const std::string& reason, const Engine& engine,
                     bool is_loss);
  void note(const std::string& text) { conduct_.on_note(text); }
  void drop_decided();
  void watch_signals();
  void wake_loops() { wake_.cancel(); }

  void start(boost::asio::awaitable<void> task);
  void run();

  [[nodiscard]] const Match& match_of(GameTask task) const {
    return experiment_.matches[task.match];
  }

  boost::asio::io_context io_{1};
  const Experiment& experiment_;
  const Conduct& conduct_;
  Ledger ledger_;
  LedgerContents contents_;  // once the schedule is made, the results alone
  Schedule schedule_;
  Capacities capacities_;
  EnginePool engines_;
  ServerWatch server_watch_;
  std::optional<LedgerWriter> writer_;
  boost::asio::signal_set signals_{io_};
  boost::asio::steady_timer wake_{io_, std::chrono::steady_clock::time_point::max()};
  std::exception_ptr failure_;

  Examined examined_;
  int playing_ = 0;
  int loops_ = 0;
  bool is_interrupted_ = false;
  std::map<std::string, std::string> why_down_;                // by location
  std::map<std::pair<int, int>, std::array<int, 2>> crashes_;  // by match and game, of each player
  std::map<std::pair<int, int>, int> deaths_;                  // of servers, by match and game
  static constexpr int every_game = -1;
  std::set<std::pair<int, int>> no_duels_;  // by match and game, or every_game
  std::map<std::string, int> notes_;        // by player
};

}  // namespace pitboss::clients
