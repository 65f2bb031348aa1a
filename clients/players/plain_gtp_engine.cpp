#include "clients/players/plain_gtp_engine.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "protocol/dialect.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

asio::awaitable<Declaration> PlainGtpEngine::examine(const Match& match) {
  if (match.colours.size() != 2) {
    throw refusal("an engine that speaks plain GTP cannot play " + match.game +
                  ": it is not a game for two");
  }
  co_await watch(look_for_commands());
  if (player().dialect == protocol::Dialect::hexgui && match.parameters.has("swap") &&
      match.parameters.text("swap") == "on") {
    throw refusal("swap-pieces is not the swap of " + match.game +
                  ", which leaves the stone where it is; play with swap=off");
  }
  co_await watch(set_up(match, 0));
  co_return declaration_;
}

/// It may be another program than before, with other commands for clocks.
asio::awaitable<void> PlainGtpEngine::greet() {
  forget_clock();
  co_await GtpEngine::greet();
}

asio::awaitable<void> PlainGtpEngine::look_for_commands() {
  const std::string commands = co_await demand("list_commands");
  for (const char* const command : {"clear_board", "play", "genmove"}) {
    if (!has_line(commands, command)) {
      throw refusal("the engine does not have the command " + std::string(command));
    }
  }
}

asio::awaitable<void> PlainGtpEngine::look_for_clock() {
  const std::string commands = co_await demand("list_commands");
  std::string systems;
  if (has_line(commands, "kata-list_time_settings")) {
    systems = co_await demand("kata-list_time_settings");
  }
  set_clock(clock_of_others(*player().clock, commands, systems));
}

asio::awaitable<void> PlainGtpEngine::set_up(const Match& match, std::int64_t) {
  begin_game(match);
  figures_.clear();
  shape_ = match.initial_position()->shape();
  for (const std::string& command : player().setup) co_await demand(command);
  if (match.parameters.has("size")) co_await demand("boardsize " + match.parameters.text("size"));
  co_await demand("clear_board");
  if (player().clock) {
    if (!clock()) co_await look_for_clock();
    if (!clock()->settings.empty()) co_await demand(clock()->settings);
  }
  const std::vector<std::string> questions(program_questions.begin(), program_questions.end());
  declaration_ = {};
  declaration_.set_program(hear_program(co_await client().ask_all(questions, patience())));
  if (clock()) declaration_.add_option("clock", clock()->text());
}

asio::awaitable<void> PlainGtpEngine::play(Colour mover, std::string move) {
  co_await GtpEngine::play(mover, protocol::spoken(player().dialect, shape_, move));
}

/// None of an engine that does not comment.
asio::awaitable<std::vector<MoveFigures>> PlainGtpEngine::figures() {
  const bool has_told =
      std::ranges::any_of(figures_, [](const MoveFigures& one) { return one.effort != Effort{}; });
  co_return has_told ? figures_ : std::vector<MoveFigures>();
}

/// Programs write the arrow of amazons in several ways: d1-d7/g7, d1-d7(g7).
asio::awaitable<std::string> PlainGtpEngine::genmove(Colour mover,
                                                     std::chrono::milliseconds timeout) {
  std::string move = co_await GtpEngine::genmove(mover, timeout);
  MoveFigures figures;
  figures.effort.simulations = client().told().nodes();
  figures.effort.depth = client().told().depth();
  figures_.push_back(figures);
  std::erase(move, ')');
  for (char& c : move) {
    if (c == '/' || c == '(' || c == ',') c = '-';
  }
  co_return protocol::heard(player().dialect, shape_, move);
}

}  // namespace pitboss::clients
