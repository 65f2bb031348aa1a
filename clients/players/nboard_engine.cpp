#include "clients/players/nboard_engine.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "games/move_words.hpp"
#include "games/notation.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

namespace {

/// Othello's usual notation: a1 is the corner on top.
constexpr games::Notation usual{true, 8};
constexpr std::string_view set_start =
    "set game (;GM[Othello]PC[Pitboss]PB[black]PW[white]RE[?]TI[0]TY[8]BO[8 "
    "---------------------------O*------*O--------------------------- *];)";

std::string upper(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return text;
}

std::string to_nboard(const std::string& move) {
  return move == games::pass_text ? "PA" : upper(games::rewritten(move, {}, usual));
}

/// The move in "=== F5/-1.00/0.0" or "=== f5 -1.00 0.0". Programs write a pass in several ways.
std::string from_nboard(std::string_view answer) {
  answer.remove_prefix(std::min(answer.find_first_not_of("= \t"), answer.size()));
  const std::string_view move = answer.substr(0, answer.find_first_of("/ \t"));
  if (games::is_word_for_pass(move)) return std::string(games::pass_text);
  return games::rewritten(move, usual, {});
}

}  // namespace

asio::awaitable<void> NBoardEngine::greet() {
  set_program({});
  co_await client().tell("nboard 2", patience());
  co_await synchronize();
}

asio::awaitable<void> NBoardEngine::synchronize() {
  constexpr std::string_view before_name = "set myname ";
  const std::string number = std::to_string(++pings_);
  const std::vector<std::string> lines =
      co_await client().ask("ping " + number, "pong", patience());
  for (const std::string& line : lines) {
    if (line.starts_with(before_name)) set_program(line.substr(before_name.size()));
  }
}

void NBoardEngine::check(const Match& match) const {
  if (match.game != "othello" || match.parameters.line() != "size=8") {
    throw refusal("programs of NBoard do not play " + rules_text(match) + " (but othello size=8)");
  }
  if (!positive_option(player(), "depth")) {
    throw refusal("a search needs a bound: give the option depth (plies)");
  }
}

asio::awaitable<void> NBoardEngine::set_up(const Match& match, std::int64_t) {
  start_game(match);
  for (const auto& [name, value] : player().options) {
    std::string line = "set " + name + " " + value;
    co_await client().tell(std::move(line), patience());
  }
  co_await client().tell(std::string(set_start), patience());
  co_await synchronize();
}

asio::awaitable<void> NBoardEngine::play(Colour, std::string move) {
  co_await watch(add(std::move(move)));
}

/// Throws BadGame if the move is not legal.
asio::awaitable<void> NBoardEngine::add(std::string move) {
  std::string line = "move " + to_nboard(position().play(move));
  co_await client().tell(std::move(line), patience());
}

asio::awaitable<std::string> NBoardEngine::genmove(Colour, std::chrono::milliseconds timeout) {
  const std::vector<std::string> lines = co_await watch(client().ask("go", "===", timeout));
  keep_figures();
  std::string move = from_nboard(lines.back());
  try {
    co_await watch(add(move));
  } catch (const games::BadGame&) {  // the referee will find it illegal
  }
  co_return move;
}

}  // namespace pitboss::clients
