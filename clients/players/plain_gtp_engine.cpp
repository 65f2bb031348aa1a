#include "clients/players/plain_gtp_engine.hpp"

#include <string>
#include <utility>

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

asio::awaitable<Declaration> PlainGtpEngine::examine(const Match& match) {
  if (match.colours.size() != 2) {
    throw refusal("an engine that speaks plain GTP cannot play " + match.game +
                  ": it is not a game for two");
  }
  for (const games::Parameter& parameter : games::game_parameters(match.game)) {
    const std::string& text = match.parameters.text(parameter.name);
    if (parameter.name == "size" || text == parameter.default_value) continue;
    if (!player().setup.empty()) continue;
    throw refusal("plain GTP cannot say " + std::string(parameter.name) + "=" + text +
                  "; give `setup` the commands that do");
  }
  co_await watch(look_for_commands());
  co_await watch(set_up(match));
  Declaration declaration;
  declaration.set_program(co_await watch(program()));
  if (clock()) declaration.add_option("clock", clock()->text());
  co_return declaration;
}

asio::awaitable<void> PlainGtpEngine::look_for_commands() {
  const std::string commands = co_await demand("list_commands");
  for (const char* const command : {"clear_board", "play", "genmove"}) {
    if (!has_line(commands, command)) {
      throw refusal("does not have the command " + std::string(command));
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

asio::awaitable<void> PlainGtpEngine::begin(const Match& match, std::int64_t) {
  co_await watch(set_up(match));
}

asio::awaitable<void> PlainGtpEngine::set_up(const Match& match) {
  begin_game(match);
  for (const std::string& command : player().setup) co_await demand(command);
  if (match.parameters.has("size")) co_await demand("boardsize " + match.parameters.text("size"));
  co_await demand("clear_board");
  if (!player().clock) co_return;
  if (!clock()) co_await look_for_clock();
  if (!clock()->settings.empty()) co_await demand(clock()->settings);
}

/// Programs write the arrow of amazons in several ways: d1-d7/g7, d1-d7(g7).
asio::awaitable<std::string> PlainGtpEngine::genmove(Colour mover,
                                                     std::chrono::milliseconds timeout) {
  std::string move = co_await GtpEngine::genmove(mover, timeout);
  std::erase(move, ')');
  for (char& c : move) {
    if (c == '/' || c == '(' || c == ',') c = '-';
  }
  co_return move;
}

}  // namespace pitboss::clients
