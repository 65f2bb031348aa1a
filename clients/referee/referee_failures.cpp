#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <string>
#include <variant>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/referee.hpp"

// The members of Referee that handle failures: engines that cannot be opened, crash, or forfeit,
// and servers that are down.

namespace pitboss::clients {

namespace asio = boost::asio;
using environment::AwakeClock;
using std::chrono::milliseconds;

namespace {

constexpr int max_notes = 20;

}  // namespace

asio::awaitable<bool> Referee::open(Engine& engine, const Player& player) {
  const std::string location = text_of(player.location);
  for (;;) {
    std::optional<EngineFailure> failure;
    try {
      co_await engine.open();
      co_return true;
    } catch (const EngineFailure& f) {
      failure = f;
    }
    // A server that lets in but says nothing is stopped or frozen.
    const bool is_silent = failure->kind() == EngineFailure::Kind::silent &&
                           std::holds_alternative<Address>(player.location);
    const bool is_there = !is_silent && failure->kind() != EngineFailure::Kind::unreachable;
    if (is_there && engines_.close_at(player.location)) {
      asio::steady_timer until_it_knows(io_, milliseconds(20));
      co_await until_it_knows.async_wait(asio::use_awaitable);
      continue;
    }
    const int limit = is_there ? capacities_.refuse(location, AwakeClock::now()) : 0;
    if (limit > 0) {
      note(location + " takes no more than " + std::to_string(limit) + " games at once (" +
           failure->what() + ")");
    } else {
      mark_down(player, *failure);
    }
    co_return false;
  }
}

/// Handles a player's engine that was lost during the game. Returns whether it has crashed so often
/// that the game is lost.
asio::awaitable<bool> Referee::has_crashed(Assignment game, int player,
                                           AwakeClock::time_point opened) {
  const Player& who = game.match.players[player];
  const bool is_own_fault = co_await server_watch_.is_own_fault(who.location, opened);
  if (is_own_fault) co_return ++crashes_[game.task][player] >= max_crashes;
  engines_.close_at(who.location);
  if (++deaths_[game.task] >= max_deaths) {
    throw UserError(text_of(who.location) + " has died " + std::to_string(max_deaths) +
                    " times in game " + std::to_string(game.task.game + 1) + " of " +
                    game.match.game);
  }
  co_return false;
}

/// A server that is silent as a whole counts as gone until it answers again; the game does not
/// count.
void Referee::leave_silent(Assignment game, const Standstill& silence, const Engine& engine) {
  const Player& who = game.match.players[silence.player];
  note_incident(game, silence.player, silence.why, engine, false);
  engines_.close_at(who.location);
  mark_down(who, EngineFailure(EngineFailure::Kind::silent, "no answer"));
  calls_.done(game.task, {});
}

/// Records why the game does not count. Throws UserError if it happens again and again.
void Referee::play_again(Assignment game, const Standstill& standstill, const Engine& engine) {
  const std::string which =
      game.match.game + " game " + std::to_string(game.task.game + 1) + ": " + standstill.why;
  note_incident(game, standstill.player, standstill.why + "; played again", engine, false);
  if (++standstills_[game.task] >= max_standstills) {
    throw UserError(which + ", as " + std::to_string(max_standstills - 1) +
                    " times before in this game: this machine cannot measure the players' time");
  }
  note(which + "; it is played again");
  calls_.done(game.task, {});
}

/// Ends the run; the game is not recorded.
void Referee::stop_for(const Halt& halt, Assignment game, const Engines& engines) {
  note_incident(game, halt.player, halt.why, *engines[halt.player], false);
  throw UserError(halt.why);
}

void Referee::mark_down(const Player& player, const EngineFailure& failure) {
  const std::string location = text_of(player.location);
  why_down_[location] = failure.what();
  if (capacities_.is_down(location)) return;
  capacities_.mark_down(location, AwakeClock::now());
  note(location + " is gone (" + failure.what() + "); looking for it");
  start(look_for(player));
}

/// Tries to open an engine at a location that is down, until the location is up again.
asio::awaitable<void> Referee::look_for(Player player) {
  const std::string location = text_of(player.location);
  for (milliseconds delay(20);; delay = std::min(2 * delay, milliseconds(1000))) {
    asio::steady_timer timer(io_, delay);
    co_await timer.async_wait(asio::use_awaitable);
    auto engine = make_engine(io_.get_executor(), player);
    try {
      co_await engine->open();
      engines_.give_back(player, std::move(engine));
      break;
    } catch (const EngineFailure& failure) {
      why_down_[location] = failure.what();
    }
    stop_if_stuck();
  }
  capacities_.mark_up(location);
  note(location + " is back");
  wake_loops();
}

bool Referee::is_hopeless(const std::string& location) const {
  return capacities_.is_down(location) &&
         AwakeClock::now() - capacities_.down_since(location) >= conduct_.reconnect;
}

bool Referee::is_hopeless(const Match& match) const {
  if (is_unusable(match)) return true;
  return std::ranges::any_of(
      match.players, [&](const Player& player) { return is_hopeless(text_of(player.location)); });
}

/// Stops the run if no game is in play and all remaining games need locations that have been down
/// for too long, or are down when the user wants to end.
void Referee::stop_if_stuck() {
  if (playing_ > 0) return;
  bool is_stuck = true;
  std::string why;
  for (const Match* match : calls_.left()) {
    bool is_gone = is_unusable(*match);
    if (is_gone) why = examined_.unusable.at(match);
    for (const Player& player : match->players) {
      const std::string location = text_of(player.location);
      if (!capacities_.is_down(location)) continue;
      if (!is_hopeless(location) && !is_interrupted_) continue;
      is_gone = true;
      why = location + " is gone (" + why_down_[location] + ")";
    }
    is_stuck = is_stuck && is_gone;
  }
  if (!is_stuck || why.empty()) return;
  if (!is_interrupted_) throw UserError(why);
  io_.stop();
}

void Referee::note_incident(Assignment game, int player, const std::string& reason,
                            const Engine& engine, bool is_loss) {
  const Player& who = game.match.players[player];
  calls_.note({.match = game.task.match,
               .game = game.task.game + 1,
               .player = who.name,
               .location = text_of(who.location),
               .reason = reason,
               .is_loss = is_loss,
               .excerpt = engine.excerpt(),
               .when = now_in_seconds()});
  if (!is_loss) return;
  const int count = ++notes_[who.name];
  if (count > max_notes) return;
  note(game.match.game + " game " + std::to_string(game.task.game + 1) + ": " + who.name +
       " loses: " + reason + (count == max_notes ? " (no more of these are shown)" : ""));
}

}  // namespace pitboss::clients
