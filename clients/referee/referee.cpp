#include "clients/referee/referee.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <variant>

#include "clients/experiments/counted.hpp"
#include "clients/experiments/user_error.hpp"
#include "environment/awake_clock.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using environment::AwakeClock;

void Referee::examine(const Experiment& experiment, std::set<const Match*> finished) {
  examined_.finished = std::move(finished);
  run(examine_engines(experiment, conduct_.programs, engines_, examined_));
  expect_one_machine(experiment);
  limit_timed_games(experiment);
}

/// Where time bounds a player's searches, more of them at once than there are workers would make
/// all of them worse. A game has one search at a time at each location.
void Referee::limit_timed_games(const Experiment& experiment) {
  struct Use {
    bool is_timed = false;
    int threads = 1;  ///< most of one search
  };
  std::map<std::string, Use> uses;  // by location
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    if (is_unusable(experiment.matches[m]) || is_finished(experiment.matches[m])) continue;
    for (const std::size_t p : {0, 1}) {
      const Player& player = experiment.matches[m].players[p];
      const auto& declared = examined_.declared[m][p];
      const bool is_program = std::holds_alternative<Program>(player.location);
      Use& use = uses[is_program ? Capacities::this_machine : text_of(player.location)];
      use.is_timed = use.is_timed || is_timed(player, declared);
      use.threads = std::max(use.threads, threads_of(player, declared));
    }
  }
  for (const auto& [location, use] : uses) {
    if (!use.is_timed) continue;
    const bool is_here = location == Capacities::this_machine;
    const int processors =
        conduct_.processors > 0 ? conduct_.processors : environment::processors();
    const std::optional<int> workers = is_here ? processors : examined_.workers.at(location);
    const int wanted = capacities_.most_at(location);
    if (!workers) {
      if (wanted == 1) continue;
      note(location + " does not tell how many searches it runs at once: if these are fewer than " +
           std::to_string(wanted) + ", searches bounded by time get less than a processor each");
      continue;
    }
    const int games = std::max(*workers / use.threads, 1);
    if (games >= wanted) continue;
    capacities_.limit(location, games);
    note(location + " plays " + counted(games, "game") + " at once, not " + std::to_string(wanted) +
         ": time bounds searches there, and it has " +
         counted(*workers, is_here ? "processor" : "worker") +
         (use.threads > 1 ? " for searches of " + std::to_string(use.threads) + " threads" : ""));
  }
}

/// Of a player on a slower machine the time would be worth less, and nobody could tell.
void Referee::expect_one_machine(const Experiment& experiment) const {
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    const Match& match = experiment.matches[m];
    if (is_finished(match)) continue;
    const auto& declared = examined_.declared[m];
    if (!depends_on_speed(match.players[0], declared[0]) &&
        !depends_on_speed(match.players[1], declared[1])) {
      continue;
    }
    const auto first = facts_of(match.players[0].location, examined_);
    const auto second = facts_of(match.players[1].location, examined_);
    if (!first || !second) continue;  // or it is not known
    const bool is_same_kind = first->host == second->host && first->processor == second->processor;
    const bool is_one =
        first->boot.empty() || second->boot.empty() ? is_same_kind : first->boot == second->boot;
    require(is_one, "time bounds the searches of " + match.players[0].name + " or " +
                        match.players[1].name + ", which are on different machines, " +
                        first->host + " (" + first->processor + ") and " + second->host + " (" +
                        second->processor + ")" +
                        (is_same_kind ? ", which were booted apart" : "") +
                        ": give both players servers of one machine, or bound them by simulations");
  }
}

asio::awaitable<void> Referee::play_games(const Experiment& experiment) {
  if (conduct_.handles_signals) watch_signals();
  for (const Match& match : experiment.matches) {
    if (is_finished(match)) continue;
    for (const Player& player : match.players) server_watch_.watch(player.location);
  }
  calls_.report();
  start(report_every_second());
  loops_ = conduct_.concurrency;
  for (int loop = 0; loop < conduct_.concurrency; ++loop) start(play_in_turn());
  while (loops_ > 0) co_await until_woken();
}

/// Plays one game after the other until none is left; `concurrency` of these loops run at once.
asio::awaitable<void> Referee::play_in_turn() {
  for (;;) {
    const Next next = calls_.next();
    if (next.game) {
      ++playing_;
      capacities_.take(next.game->match);
      co_await play(*next.game);
      capacities_.give_back(next.game->match);
      --playing_;
      wake_loops();
    } else if (playing_ > 0 || next.has_more) {
      stop_if_stuck();
      co_await until_woken();
    } else {
      break;
    }
  }
  --loops_;
  wake_loops();
}

asio::awaitable<void> Referee::until_woken() {
  boost::system::error_code ignored;
  co_await wake_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
}

asio::awaitable<void> Referee::play(Assignment game) {
  Engines engines;
  std::array<bool, 2> were_open{};
  const auto& [first, second] = game.match.players;
  bool are_there = co_await take_engine(game, 0, engines, were_open);
  std::optional<std::string> instance;
  if (are_there) instance = co_await duelling_instance(game, *engines[0]);
  if (instance && opponents_seen_.contains({game.task.match, *instance})) {
    DuelEnd end = co_await play_duel(game.match, game.task.game, game.declared, engines);
    end_duel(game, 0, std::move(end), engines);
  } else {
    // Where a server has room for one engine, it gets the second one's now.
    if (instance) engines_.give_back(first, std::move(engines[0]));
    if (are_there) are_there = co_await take_engine(game, 1, engines, were_open);
    if (!are_there) {
      calls_.done(game.task, {});
    } else if (instance) {
      co_await look_at_opponent(game, engines);
    } else {
      co_await referee(game, engines, were_open);
    }
  }
  engines_.give_back(first, std::move(engines[0]));
  engines_.give_back(second, std::move(engines[1]));
}

/// Takes a player's engine from the pool or opens one; false if there is none now.
asio::awaitable<bool> Referee::take_engine(Assignment game, int player, Engines& engines,
                                           std::array<bool, 2>& were_open) {
  const Player& who = game.match.players[player];
  engines[player] = engines_.take(who);
  were_open[player] = engines[player]->is_open();
  if (were_open[player]) co_return true;
  co_return co_await open(*engines[player], who);
}

/// Looks whether the second player's engine is what was declared: in duels a server plays its side
/// with the same defaults.
asio::awaitable<void> Referee::look_at_opponent(Assignment game, Engines& engines) {
  DuelEnd end = co_await set_up_opponent(game.match, game.task.game, game.declared, engines);
  if (!end.halt && end.failure.empty()) {
    const auto instance = co_await duelling_instance(game, *engines[1]);
    if (instance) opponents_seen_.insert({game.task.match, *instance});
    engines[1]->close();  // duels have no use for it
  }
  end_duel(game, 1, std::move(end), engines);
}

/// A game that has not ended is played again; by a failure of the player's engine, move by move.
void Referee::end_duel(Assignment game, int player, DuelEnd end, const Engines& engines) {
  if (end.halt) stop_for(*end.halt, game, engines);
  if (end.standstill) return play_again(game, *end.standstill, *engines[player]);
  if (!end.failure.empty()) {
    const bool is_ruled_out = end.is_refusal && !end.is_for_now;
    no_duels_.insert({game.task.match, is_ruled_out ? every_game : game.task.game});
    if (!end.is_refusal) note_incident(game, player, end.failure, *engines[player], false);
  }
  calls_.done(game.task, std::move(end.record));
}

asio::awaitable<void> Referee::referee(Assignment game, Engines& engines,
                                       std::array<bool, 2> were_open) {
  const Match& match = game.match;
  GameEnd end = co_await play_game(match, game.task.game, game.declared, engines, server_watch_);
  if (end.halt) stop_for(*end.halt, game, engines);
  if (end.standstill) co_return play_again(game, *end.standstill, *engines[end.standstill->player]);
  if (end.silence) co_return leave_silent(game, *end.silence, *engines[end.silence->player]);
  bool is_loss = end.record.is_forfeit();
  if (end.gone) {
    const int gone = *end.gone;
    // A server may close a connection between two games, or have been started anew since.
    const bool is_stale = were_open[gone] && end.is_before_first_move;
    is_loss = false;
    if (!is_stale) is_loss = co_await has_crashed(game, gone, engines[gone]->opened());
  }
  if (end.record.is_forfeit()) {
    const int loser = end.record.loser() == match.players[0].name ? 0 : 1;
    note_incident(game, loser, end.record.reason, *engines[loser], is_loss);
  }
  if (end.gone && !is_loss) {
    calls_.done(game.task, {});
    co_return;
  }
  calls_.done(game.task, std::move(end.record));
}

/// The instance of a server that is to play the game by itself: it can, and has neither failed in
/// this game nor refused the match.
asio::awaitable<std::optional<std::string>> Referee::duelling_instance(Assignment game,
                                                                       Engine& engine) {
  const bool is_ruled_out =
      no_duels_.contains({game.task.match, every_game}) || no_duels_.contains(game.task);
  if (is_ruled_out || engine.duellist() == nullptr || !may_duel(game.match, game.declared)) {
    co_return std::nullopt;
  }
  try {
    co_return co_await engine.duellist()->duelling_instance();
  } catch (const EngineFailure&) {
    co_return std::nullopt;  // it shows again when the game begins
  }
}

asio::awaitable<void> Referee::report_every_second() {
  asio::steady_timer timer(io_);
  for (;;) {
    timer.expires_after(std::chrono::seconds(1));
    co_await timer.async_wait(asio::use_awaitable);
    calls_.report();
    wake_loops();  // a location may take more by now
  }
}

void Referee::watch_signals() {
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
    calls_.begin_no_more();
    note("finishing the rounds in play; once more to stop at once");
    wake_loops();
    watch_signals();
  });
}

void Referee::start(asio::awaitable<void> task) {
  asio::co_spawn(io_, std::move(task), [this](std::exception_ptr failure) {
    if (!failure) return;
    if (!failure_) failure_ = failure;
    io_.stop();
  });
}

void Referee::run(asio::awaitable<void> task) {
  const auto to_the_end = [](asio::io_context& io,
                             asio::awaitable<void> all) -> asio::awaitable<void> {
    co_await std::move(all);
    io.stop();
  };
  io_.restart();
  start(to_the_end(io_, std::move(task)));
  io_.run();
  signals_.clear();  // they end the process now, whatever it waits for
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace pitboss::clients
