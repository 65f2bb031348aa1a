#include "clients/referee/run_match.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "clients/referee/match_folder.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/summary.hpp"
#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr int max_notes = 20;

/// The servers cannot be reached any more.
class NoServer : public UserError {
 public:
  using UserError::UserError;
};

bool has_line(const std::string& text, const std::string& line) {
  std::istringstream lines(text);
  for (std::string l; std::getline(lines, l);) {
    if (l == line) return true;
  }
  return false;
}

/// Makes sure that a server can host the player: it speaks GTP 2, has the game, and takes the
/// player's options.
asio::awaitable<void> examine(GtpClient& engine, const Match& match, const Player& player) {
  const std::string server = "server " + text_of(player.place);
  if (co_await engine.demand("protocol_version", command_timeout) != "2") {
    throw UserError(server + " does not speak GTP 2");
  }
  const std::string name = co_await engine.demand("name", command_timeout);
  if (!has_line(co_await engine.demand("games", command_timeout), match.game)) {
    throw UserError(server + " (" + printable(name) + ") does not have the game " + match.game);
  }
  co_await prepare(engine, match, player, 1);
}

/// One run of a match: some tables, at which the games are played in order of their numbers, and
/// the desk where the results are written down in the same order.
class MatchRun {
 public:
  MatchRun(const Match& match, const MatchConduct& conduct)
      : match_(match),
        conduct_(conduct),
        folder_(conduct.folder, match),
        experiment_{"", {match}, {}},
        results_(experiment_),
        next_game_(static_cast<int>(folder_.found().size())),
        written_(next_game_) {
    const auto& found = folder_.found();
    for (int game = 0; game < written_; game += match.round()) {
      const auto first = found.begin() + game;
      results_.add(0, round_of(match, game), {first, first + match.round()});
    }
  }

  MatchEnd play();

 private:
  void play_games();
  asio::awaitable<void> open_tables();
  asio::awaitable<void> connect(int table, int player);
  asio::awaitable<void> serve(std::unique_ptr<Table> table);
  asio::awaitable<void> report_every_second();
  void watch_signals();

  void start(asio::awaitable<void> task);
  void run();

  void finish(const GameRecord& game, int outages_before);
  void note_forfeit(const GameRecord& game);
  void write_complete_rounds();

  asio::io_context io_{1};
  const Match& match_;
  const MatchConduct& conduct_;
  MatchFolder folder_;
  Experiment experiment_;
  Results results_;  // of the games written
  std::vector<std::unique_ptr<Table>> tables_;
  asio::signal_set signals_{io_};
  std::exception_ptr failure_;
  bool is_interrupted_ = false;

  int next_game_;
  int written_;
  std::map<int, GameRecord> waiting_;  // finished, to be written after those before them
  int unreachable_in_a_row_ = 0;
  int outages_ = 0;
  int notes_ = 0;
};

MatchEnd MatchRun::play() {
  const bool is_over = written_ == match_.games;
  if (!is_over) {
    start(open_tables());
    run();
  }
  folder_.open_for_writing();
  std::string why;
  try {
    if (!is_over) play_games();
    folder_.write_summary(summary_json(results_));
  } catch (const UserError& failure) {
    why = failure.what();
  }
  using enum MatchEnd::Kind;
  const auto kind = !why.empty() ? stopped : is_interrupted_ ? interrupted : complete;
  return {kind, why, results_.matches().front().standings(), summary_table(results_)};
}

void MatchRun::play_games() {
  if (conduct_.handles_signals) watch_signals();
  for (auto& table : std::exchange(tables_, {})) start(serve(std::move(table)));
  start(report_every_second());
  conduct_.on_progress(results_);
  try {
    run();
  } catch (const NoServer&) {
    folder_.write_summary(summary_json(results_));
    throw;
  }
}

/// Opens all connections before anything is written, so that a server that is not there, or has
/// room for fewer, is the user's error and not a lost game.
asio::awaitable<void> MatchRun::open_tables() {
  const int count = std::min(conduct_.concurrency, match_.games - written_);
  for (int table = 0; table < count; ++table) {
    tables_.push_back(std::make_unique<Table>(io_.get_executor()));
    for (const int player : {0, 1}) co_await connect(table, player);
  }
}

asio::awaitable<void> MatchRun::connect(int table, int player) {
  GtpClient& engine = tables_[table]->engines[player];
  const auto& server = std::get<Address>(match_.players[player].place);
  const bool is_first = table == 0;
  try {
    co_await engine.connect(server, connect_timeout);
    if (is_first) {
      co_await examine(engine, match_, match_.players[player]);
    } else {
      co_await engine.ask("protocol_version", command_timeout);
    }
  } catch (const GtpFailure& failure) {
    const std::string room = "; connection " + std::to_string(2 * table + player + 1) +
                             " was too many? Try a lower --concurrency";
    throw UserError("server " + server.text() + " cannot be used by " +
                    match_.players[player].name + ": " + failure.what() + (is_first ? "" : room));
  }
}

asio::awaitable<void> MatchRun::serve(std::unique_ptr<Table> table) {
  while (next_game_ < match_.games) {
    const int game = next_game_++;
    const int outages_before = outages_;
    const GameRecord record = co_await play_game(match_, game, *table, conduct_.reconnect);
    finish(record, outages_before);
  }
}

asio::awaitable<void> MatchRun::report_every_second() {
  asio::steady_timer timer(io_);
  for (;;) {
    timer.expires_after(std::chrono::seconds(1));
    co_await timer.async_wait(asio::use_awaitable);
    conduct_.on_progress(results_);
  }
}

void MatchRun::watch_signals() {
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    is_interrupted_ = true;
    io_.stop();
  });
}

void MatchRun::start(asio::awaitable<void> task) {
  asio::co_spawn(io_, std::move(task), [this](std::exception_ptr failure) {
    if (!failure) return;
    if (!failure_) failure_ = failure;
    io_.stop();
  });
}

/// Runs until there is nothing to do, or the match is stopped. Games in play are then given up:
/// whoever continues plays them again, alike.
void MatchRun::run() {
  io_.restart();
  io_.run();
  if (failure_) std::rethrow_exception(failure_);
}

void MatchRun::finish(const GameRecord& game, int outages_before) {
  waiting_.emplace(game.game, game);
  if (game.is_forfeit()) note_forfeit(game);

  if (game.reason == unreachable) {
    // When the servers are down altogether this goes on for every game. Such games are not written
    // before another one has been played, so that an outage costs nobody the match.
    if (unreachable_in_a_row_ == 0) ++outages_;
    if (++unreachable_in_a_row_ >= max_unreachable_in_a_row) {
      throw NoServer(std::to_string(max_unreachable_in_a_row) +
                     " games in a row found no server (the last: " + game.loser() +
                     "'s); they are not counted");
    }
  } else if (outages_before == outages_) {
    // Games that began before the outage say nothing about its end.
    unreachable_in_a_row_ = 0;
  }
  const bool is_last = written_ + static_cast<int>(waiting_.size()) == match_.games;
  if (unreachable_in_a_row_ == 0 || is_last) write_complete_rounds();
  conduct_.on_progress(results_);
  if (is_last) io_.stop();
}

void MatchRun::note_forfeit(const GameRecord& game) {
  if (notes_ > max_notes) return;
  if (++notes_ > max_notes) {
    conduct_.on_note("more games were lost by failures; see games.csv");
    return;
  }
  std::string colours;
  for (std::size_t c = 0; c < game.seats.size(); ++c) {
    if (game.seats[c] != game.loser()) continue;
    colours += colours.empty() ? " as " : " and ";
    colours += match_.colours[c];
  }
  conduct_.on_note("game " + std::to_string(game.game) + ": " + game.loser() + " loses" + colours +
                   ": " + game.reason);
}

void MatchRun::write_complete_rounds() {
  for (;;) {
    std::vector<GameRecord> round;
    for (int game = written_ + 1; game <= written_ + match_.round(); ++game) {
      const auto found = waiting_.find(game);
      if (found == waiting_.end()) return;
      round.push_back(found->second);
    }
    folder_.append(round);
    for (const GameRecord& game : round) waiting_.erase(game.game);
    results_.add(0, round_of(match_, written_), std::move(round));
    written_ += match_.round();
  }
}

}  // namespace

MatchEnd run_match(const Match& match, const MatchConduct& conduct) {
  return MatchRun(match, conduct).play();
}

}  // namespace pitboss::clients
