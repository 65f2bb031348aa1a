#include "clients/referee/run_experiment.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "clients/referee/blame.hpp"
#include "clients/referee/desk.hpp"
#include "clients/referee/engine_pool.hpp"
#include "clients/referee/examine.hpp"
#include "clients/referee/places.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/schedule.hpp"
#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int max_notes = 20;

/// One run: some tables, at which games are played as the schedule says and as the places have
/// room, and the desk where finished rounds are handed in. All on one thread, but for the desk's.
class Run {
 public:
  Run(const Experiment& experiment, const Conduct& conduct)
      : experiment_(experiment),
        conduct_(conduct),
        ledger_(conduct.folder, experiment),
        recorded_(read_recorded(ledger_, experiment)),
        schedule_(experiment, recorded_.played),
        places_(conduct.concurrency, conduct.limits),
        engines_(io_.get_executor()),
        blame_(io_.get_executor()) {
    recorded_.played.clear();
    recorded_.incidents.clear();
    drop_decided();
  }

  RunEnd play();

 private:
  void play_games();
  asio::awaitable<void> serve();
  asio::awaitable<void> play(Task task);
  asio::awaitable<void> referee(Task task, Engines& engines, std::array<bool, 2> were_open);
  asio::awaitable<bool> bring(Task task, Engines& engines, std::array<bool, 2>& were_open);
  asio::awaitable<bool> open(Engine& engine, const Player& player);
  asio::awaitable<bool> has_crashed(Task task, int player, Clock::time_point opened);
  asio::awaitable<void> look_for(Player player);
  asio::awaitable<void> hand_in(PlayedRound round);
  asio::awaitable<void> report_every_second();

  [[nodiscard]] std::optional<Task> next_task();
  void mark_down(const Player& player, const GtpFailure& failure);
  void stop_if_stuck();
  void note_incident(Task task, int player, const GameRecord& record, const Engine& engine,
                     bool is_loss);
  void note(const std::string& text) { conduct_.on_note(text); }
  void drop_decided();
  void watch_signals();
  void wake_tables() { wake_.cancel(); }

  void start(asio::awaitable<void> task);
  void run();

  [[nodiscard]] const Match& match_of(Task task) const { return experiment_.matches[task.match]; }

  asio::io_context io_{1};
  const Experiment& experiment_;
  const Conduct& conduct_;
  Ledger ledger_;
  Recorded recorded_;  // once the schedule is made, the results alone
  Schedule schedule_;
  Places places_;
  EnginePool engines_;
  Blame blame_;
  std::optional<Desk> desk_;
  asio::signal_set signals_{io_};
  asio::steady_timer wake_{io_, Clock::time_point::max()};
  std::exception_ptr failure_;

  int playing_ = 0;
  int tables_ = 0;
  bool is_interrupted_ = false;
  std::map<std::string, std::string> why_down_;                // by place
  std::map<std::pair<int, int>, std::array<int, 2>> crashes_;  // by match and game, of each player
  std::map<std::pair<int, int>, int> deaths_;                  // of servers, by match and game
  std::map<std::string, int> notes_;                           // by player
};

RunEnd Run::play() {
  const bool is_over = recorded_.results.is_over();
  if (!is_over) {
    start(examine(experiment_, engines_));
    run();
  }
  ledger_.open_for_writing();
  std::string why;
  try {
    if (!is_over) play_games();
  } catch (const UserError& failure) {
    why = failure.what();
  }
  desk_.reset();
  // Rounds may have been written that nobody was told of any more.
  Recorded recorded = read_recorded(ledger_, experiment_);
  using enum RunEnd::Kind;
  const auto kind = recorded.results.is_over() ? complete : why.empty() ? interrupted : stopped;
  return {kind, why, std::move(recorded)};
}

void Run::play_games() {
  desk_.emplace(io_.get_executor(), ledger_);
  if (conduct_.handles_signals) watch_signals();
  for (const Match& match : experiment_.matches) {
    for (const Player& player : match.players) blame_.watch(player.place);
  }
  start(report_every_second());
  for (int table = 0; table < conduct_.concurrency; ++table) start(serve());
  conduct_.on_progress(recorded_.results);
  run();
}

/// One table: a game after the other, until there are no more.
asio::awaitable<void> Run::serve() {
  ++tables_;
  while (playing_ > 0 || schedule_.has_more()) {
    if (const auto task = next_task()) {
      ++playing_;
      places_.take(match_of(*task));
      co_await play(*task);
      places_.give_back(match_of(*task));
      --playing_;
      wake_tables();
    } else {
      stop_if_stuck();
      boost::system::error_code ignored;
      co_await wake_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
  }
  if (--tables_ == 0) {
    co_await desk_->settle();
    io_.stop();
  }
}

std::optional<Task> Run::next_task() {
  const auto now = Clock::now();
  const auto fits = [&](int match) { return places_.has_room(experiment_.matches[match], now); };
  bool is_new = false;
  const auto task = schedule_.next(fits, is_new);
  if (is_new) desk_->claim(task->match, task->game / match_of(*task).round());
  return task;
}

asio::awaitable<void> Run::play(Task task) {
  Engines engines;
  std::array<bool, 2> were_open{};
  const bool are_there = co_await bring(task, engines, were_open);
  if (are_there) {
    co_await referee(task, engines, were_open);
  } else {
    schedule_.again(task);
  }
  for (const std::size_t i : {0, 1}) {
    engines_.give_back(match_of(task).players[i], std::move(engines[i]));
  }
}

/// Brings the players' engines to the table; false if one is not to be had now.
asio::awaitable<bool> Run::bring(Task task, Engines& engines, std::array<bool, 2>& were_open) {
  for (const std::size_t i : {0, 1}) {
    const Player& player = match_of(task).players[i];
    engines[i] = engines_.take(player);
    were_open[i] = engines[i]->is_open();
    if (were_open[i]) continue;
    const bool is_open = co_await open(*engines[i], player);
    if (!is_open) co_return false;
  }
  co_return true;
}

asio::awaitable<bool> Run::open(Engine& engine, const Player& player) {
  const std::string place = text_of(player.place);
  for (;;) {
    std::optional<GtpFailure> failure;
    try {
      co_await engine.open();
      co_return true;
    } catch (const GtpFailure& f) {
      failure = f;
    }
    const bool is_there = failure->kind() != GtpFailure::Kind::unreachable;
    if (is_there && engines_.close_at(player.place)) continue;
    const int limit = is_there ? places_.refuse(place, Clock::now()) : 0;
    if (limit > 0) {
      note(place + " takes no more than " + std::to_string(limit) + " games at once (" +
           failure->what() + ")");
    } else {
      mark_down(player, *failure);
    }
    co_return false;
  }
}

asio::awaitable<void> Run::referee(Task task, Engines& engines, std::array<bool, 2> were_open) {
  const Match& match = match_of(task);
  GameEnd end = co_await play_game(match, task.game, engines);
  bool is_loss = end.record.is_forfeit();
  if (end.gone) {
    const int gone = *end.gone;
    // A server may close a connection between two games, or have been started anew since.
    const bool is_stale = were_open[gone] && end.is_before_first_move;
    is_loss = false;
    if (!is_stale) is_loss = co_await has_crashed(task, gone, engines[gone]->opened());
  }
  if (end.record.is_forfeit()) {
    const int loser = end.record.loser() == match.players[0].name ? 0 : 1;
    note_incident(task, loser, end.record, *engines[loser], is_loss);
  }
  if (end.gone && !is_loss) {
    schedule_.again(task);
    co_return;
  }
  auto round = schedule_.add(task, std::move(end.record));
  if (round) start(hand_in(std::move(*round)));
}

/// The player's engine went away during the game. True if it has crashed so often that the game is
/// lost.
asio::awaitable<bool> Run::has_crashed(Task task, int player, Clock::time_point opened) {
  const Player& who = match_of(task).players[player];
  const bool is_own_fault = co_await blame_.is_own_fault(who.place, opened);
  if (is_own_fault) co_return ++crashes_[{task.match, task.game}][player] >= max_crashes;
  engines_.close_at(who.place);
  if (++deaths_[{task.match, task.game}] >= max_deaths) {
    throw UserError(text_of(who.place) + " has died " + std::to_string(max_deaths) +
                    " times in game " + std::to_string(task.game + 1) + " of " +
                    match_of(task).game);
  }
  co_return false;
}

void Run::mark_down(const Player& player, const GtpFailure& failure) {
  const std::string place = text_of(player.place);
  why_down_[place] = failure.what();
  if (places_.is_down(place)) return;
  places_.mark_down(place, Clock::now());
  note(place + " is gone (" + failure.what() + "); looking for it");
  start(look_for(player));
}

/// Tries to open an engine at a place that is down, until it is up again.
asio::awaitable<void> Run::look_for(Player player) {
  const std::string place = text_of(player.place);
  for (milliseconds delay(20);; delay = std::min(2 * delay, milliseconds(1000))) {
    asio::steady_timer timer(io_, delay);
    co_await timer.async_wait(asio::use_awaitable);
    auto engine = make_engine(io_.get_executor(), player);
    try {
      co_await engine->open();
      engines_.give_back(player, std::move(engine));
      break;
    } catch (const GtpFailure& failure) {
      why_down_[place] = failure.what();
    }
    stop_if_stuck();
  }
  places_.mark_up(place);
  note(place + " is back");
  wake_tables();
}

/// Stops the run if nothing is being played and all that is left needs places that have been down
/// for too long, or are down when the user wants to end.
void Run::stop_if_stuck() {
  if (playing_ > 0) return;
  bool is_stuck = true;
  std::string why;
  schedule_.for_each_left([&](int match) {
    bool is_gone = false;
    for (const Player& player : experiment_.matches[match].players) {
      const std::string place = text_of(player.place);
      if (!places_.is_down(place)) continue;
      const bool is_hopeless = Clock::now() - places_.down_since(place) >= conduct_.reconnect;
      if (!is_hopeless && !is_interrupted_) continue;
      is_gone = true;
      why = place + " is gone (" + why_down_[place] + ")";
    }
    is_stuck = is_stuck && is_gone;
  });
  if (!is_stuck || why.empty()) return;
  if (!is_interrupted_) throw UserError(why);
  io_.stop();
}

asio::awaitable<void> Run::hand_in(PlayedRound round) {
  const bool is_written = co_await desk_->finish(round);
  if (!is_written) {
    throw UserError("another referee has played a round of " + conduct_.folder.string());
  }
  recorded_.results.add(round.match, round.round, std::move(round.games));
  drop_decided();
  conduct_.on_progress(recorded_.results);
}

void Run::drop_decided() {
  for (std::size_t match = 0; match < recorded_.results.matches().size(); ++match) {
    if (recorded_.results.matches()[match].is_over()) schedule_.drop(static_cast<int>(match));
  }
}

void Run::note_incident(Task task, int player, const GameRecord& record, const Engine& engine,
                        bool is_loss) {
  const Player& who = match_of(task).players[player];
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  desk_->note({.match = task.match,
               .game = record.game,
               .player = who.name,
               .place = text_of(who.place),
               .reason = record.reason,
               .is_loss = is_loss,
               .excerpt = engine.excerpt(),
               .when = std::chrono::duration_cast<std::chrono::seconds>(now).count()});
  if (!is_loss) return;
  const int count = ++notes_[who.name];
  if (count > max_notes) return;
  const std::string where =
      experiment_.matches.size() > 1 ? match_of(task).game + " " : std::string();
  note(where + "game " + std::to_string(record.game) + ": " + who.name +
       " loses: " + record.reason + (count == max_notes ? " (no more of these are shown)" : ""));
}

asio::awaitable<void> Run::report_every_second() {
  asio::steady_timer timer(io_);
  for (;;) {
    timer.expires_after(std::chrono::seconds(1));
    co_await timer.async_wait(asio::use_awaitable);
    conduct_.on_progress(recorded_.results);
    wake_tables();  // a place may take more by now
  }
}

void Run::watch_signals() {
  if (!is_interrupted_) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
  }
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    if (is_interrupted_ || signal == SIGTERM) {
      is_interrupted_ = true;
      io_.stop();
      return;
    }
    is_interrupted_ = true;
    schedule_.begin_no_more();
    note("finishing the rounds in play; once more to stop at once");
    wake_tables();
    watch_signals();
  });
}

void Run::start(asio::awaitable<void> task) {
  asio::co_spawn(io_, std::move(task), [this](std::exception_ptr failure) {
    if (!failure) return;
    if (!failure_) failure_ = failure;
    io_.stop();
  });
}

/// Runs until there is nothing to do, or the run is stopped. Games in play are then given up:
/// whoever continues plays them again, alike.
void Run::run() {
  io_.restart();
  io_.run();
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace

RunEnd run_experiment(const Experiment& experiment, const Conduct& conduct) {
  return Run(experiment, conduct).play();
}

}  // namespace pitboss::clients
