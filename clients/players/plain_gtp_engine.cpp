#include "clients/players/plain_gtp_engine.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/bad_game.hpp"
#include "games/notation.hpp"
#include "protocol/dialect.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

namespace {

constexpr std::string_view pass = "pass";

}  // namespace

asio::awaitable<Declaration> PlainGtpEngine::examine(const Match& match) {
  if (match.colours.size() != 2) {
    throw refusal("an engine that speaks plain GTP cannot play " + match.game +
                  ": it is not a game for two");
  }
  co_await watch(look_for_commands());
  co_await watch(set_up(match, 0));
  if (dialect_ == protocol::Dialect::hexgui && match.parameters.has("swap") &&
      match.parameters.text("swap") == "on") {
    throw refusal("swap-pieces is not the swap of " + match.game +
                  ", which leaves the stone where it is; play with swap=off");
  }
  co_return declaration_;
}

/// It may be another program than before, with other commands for clocks.
asio::awaitable<void> PlainGtpEngine::greet() {
  forget_clock();
  found_for_.clear();
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
  position_ = match.initial_position();
  for (const std::string& command : player().setup) co_await demand(command);
  if (match.parameters.has("size")) co_await demand("boardsize " + match.parameters.text("size"));
  co_await demand("clear_board");
  if (found_for_ != rules_text(match)) co_await find_dialect(match);
  if (player().clock) {
    if (!clock()) co_await look_for_clock();
    if (!clock()->settings.empty()) co_await demand(clock()->settings);
  }
  const std::vector<std::string> questions(program_questions.begin(), program_questions.end());
  declaration_ = {};
  declaration_.set_program(hear_program(co_await client().ask_all(questions, patience())));
  if (!player().dialect && dialect_ != protocol::Dialect::plain) {
    declaration_.add_option("dialect", protocol::dialect_name(dialect_));
  }
  if (clock()) declaration_.add_option("clock", clock()->text());
}

/// By a first move that only one dialect can mean. An engine that takes those of both, or of none,
/// is taken to write `plain`.
asio::awaitable<void> PlainGtpEngine::find_dialect(const Match& match) {
  using enum protocol::Dialect;
  dialect_ = player().dialect.value_or(plain);
  found_for_ = rules_text(match);
  if (player().dialect) co_return;
  const auto only_in = [&](protocol::Dialect dialect, protocol::Dialect other) {
    const std::vector<std::string> legal = position_->legal_moves();
    for (const std::string& move : legal) {
      std::string text = protocol::spoken(dialect, position_->shape(), move);
      const std::string meant = protocol::heard(other, position_->shape(), text);
      if (std::ranges::find(legal, meant) == legal.end()) return text;
    }
    return std::string();
  };
  const std::string in_plain = only_in(plain, hexgui);
  const std::string in_hexgui = only_in(hexgui, plain);
  if (in_plain.empty() || in_hexgui.empty()) co_return;
  const Colour mover = position_->to_move();
  const bool takes_plain = co_await takes(mover, in_plain);
  const bool takes_hexgui = co_await takes(mover, in_hexgui);
  if (takes_hexgui && !takes_plain) dialect_ = hexgui;
}

/// Whether the engine plays this first move; the board is cleared afterwards.
asio::awaitable<bool> PlainGtpEngine::takes(Colour mover, const std::string& point) {
  const GtpAnswer answer = co_await client().ask(play_command(mover, point), patience());
  co_await demand("clear_board");
  co_return answer.ok;
}

asio::awaitable<void> PlainGtpEngine::tell_all() {
  if (std::vector<std::string> commands = take_untold(); !commands.empty()) {
    co_await watch(client().demand_all(std::move(commands), patience()));
  }
}

bool PlainGtpEngine::must_pass() const {
  const std::vector<std::string> legal = position_->legal_moves();
  return legal.size() == 1 && legal.front() == pass;
}

/// An engine that passes by itself refuses to be told that the other must pass.
asio::awaitable<void> PlainGtpEngine::play(Colour mover, std::string move) {
  position_->play(move);
  if (move != pass) {
    co_return co_await GtpEngine::play(mover, protocol::spoken(dialect_, position_->shape(), move));
  }
  co_await tell_all();
  static_cast<void>(
      co_await watch(client().ask(play_command(mover, std::string(pass)), patience())));
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
  const bool is_pass = must_pass();
  if (is_pass) co_await tell_all();
  std::string answer;
  try {
    answer = co_await GtpEngine::genmove(mover, timeout);
  } catch (const EngineFailure& failure) {
    // It passes by itself, and takes the turn for the other's.
    if (!is_pass || failure.kind() != EngineFailure::Kind::refused) throw;
  }
  figures_.push_back(figures_of(client().told()));
  std::string move = read(std::move(answer));
  try {
    position_->play(move);
  } catch (const games::BadGame&) {  // NOLINT(bugprone-empty-catch): the referee judges it
  }
  co_return move;
}

/// The move that an answer means. Whatever an engine answers where it must pass but a point, is a
/// pass.
std::string PlainGtpEngine::read(std::string answer) const {
  const bool is_word = games::points_of(answer).empty();
  if (is_word && must_pass()) return std::string(pass);
  std::erase(answer, ')');
  for (char& c : answer) {
    if (c == '/' || c == '(' || c == ',') c = '-';
  }
  return protocol::heard(dialect_, position_->shape(), answer);
}

}  // namespace pitboss::clients
