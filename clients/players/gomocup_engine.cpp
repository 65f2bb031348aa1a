#include "clients/players/gomocup_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "games/grid.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

namespace {

// Columns from the left and rows from the bottom, both counted from 0: a program cannot see on
// which side its manager draws the first row.
std::string text_of(const games::Place& place) {
  return std::to_string(place.x) + "," + std::to_string(place.y);
}

/// The point that "7,8" means; nothing if the text is no point of the board.
std::optional<games::Place> place_in(std::string_view text, const games::BoardShape& shape) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return {};
  const auto number = [](std::string_view word) {
    const std::size_t begin = std::min(word.find_first_not_of(' '), word.size());
    return number_in<int>(word.substr(begin, word.find_last_not_of(' ') + 1 - begin));
  };
  const auto x = number(text.substr(0, comma));
  const auto y = number(text.substr(comma + 1));
  if (!x || !y || *x < 0 || *y < 0 || *x >= shape.width || *y >= shape.height) return {};
  return games::Place{*x, *y};
}

/// The value of a key in an answer to ABOUT: name="Brain", version="1.0".
std::string quoted_value(std::string_view line, std::string_view key) {
  const std::size_t found = line.find(std::string(key) + "=\"");
  if (found == std::string_view::npos) return {};
  const std::size_t begin = found + key.size() + 2;
  return std::string(line.substr(begin, line.find('"', begin) - begin));
}

}  // namespace

asio::awaitable<void> GomocupEngine::greet() {
  const std::string line = co_await ask("ABOUT", patience());
  const std::string name = quoted_value(line, "name");
  if (name.empty()) {
    client().stream().fail(EngineFailure::Kind::garbage, "garbage: no name answers ABOUT");
  }
  const std::string version = quoted_value(line, "version");
  set_program(name + (version.empty() ? "" : " " + version));
}

asio::awaitable<std::string> GomocupEngine::ask(std::string command,
                                                std::chrono::milliseconds timeout) {
  const std::vector<std::string> lines = co_await client().ask(command, "", timeout);
  for (const std::string_view failure : {"ERROR", "UNKNOWN"}) {
    if (!games::same_ignoring_case(first_word(lines.back()), failure)) continue;
    throw refusal("answers " + command + " by: " + lines.back());
  }
  co_return lines.back();
}

void GomocupEngine::check(const Match& match) const {
  if (match.game != "gomoku") {
    throw refusal("programs of Gomocup do not play " + rules_text(match) + " (but gomoku)");
  }
  if (match.parameters.text("opening") != "free") {
    throw refusal("programs of Gomocup know no opening rule: play gomoku with opening=free");
  }
  if (!positive_option(player(), "timeout_turn") && !player().clock) {
    throw refusal("a search needs a bound: give the option timeout_turn (milliseconds), or a tc");
  }
}

asio::awaitable<void> GomocupEngine::set_up(const Match& match, std::int64_t) {
  start_game(match);
  stones_.clear();
  known_ = 0;
  const bool is_exact = match.parameters.text("line") == "exactly-five";
  const std::string size = std::to_string(position().shape().width);
  const std::string answer = co_await ask("START " + size, patience());
  if (!games::same_ignoring_case(first_word(answer), "OK")) {
    throw refusal("answers START " + size + " by: " + answer);
  }
  co_await tell_info("game_type", "1");  // its opponent is another program
  co_await tell_info("rule", is_exact ? "1" : "0");
  if (!player().clock) co_await tell_info("timeout_match", "0");  // no bound
  for (const auto& [name, value] : player().options) co_await tell_info(name, value);
}

asio::awaitable<void> GomocupEngine::tell_info(std::string key, std::string value) {
  std::string line = "INFO " + key + " " + value;
  co_await client().tell(std::move(line), patience());
}

/// The protocol knows a bound for a move and one for the game: a period, and what a period is for
/// so many moves, are told as bounds for the move.
asio::awaitable<void> GomocupEngine::tell_clock(Colour mover) {
  const auto& left = time_left(mover);
  if (!player().clock || !left) co_return;
  const std::int64_t time = milliseconds_of(left->time);
  const bool is_counted = left->count > 0;
  const bool is_shared = player().clock->system == protocol::TimeSystem::canadian;
  const std::int64_t turn =
      is_counted && is_shared ? std::max<std::int64_t>(time / left->count, 1) : time;
  if (!positive_option(player(), "timeout_turn")) {
    co_await tell_info("timeout_turn", std::to_string(turn));
  }
  const std::int64_t main = milliseconds_of(player().clock->main);
  co_await tell_info("timeout_match", std::to_string(std::max(main, time)));
  co_await tell_info("time_left", std::to_string(time));
}

asio::awaitable<void> GomocupEngine::play(Colour mover, std::string move) {
  add(mover, move);
  co_return;
}

/// Plays a move in the position. Throws BadGame if the move is not legal.
void GomocupEngine::add(Colour mover, const std::string& move) {
  stones_.push_back({mover, games::place_of(position().play(move)).value()});
}

asio::awaitable<std::string> GomocupEngine::genmove(Colour mover,
                                                    std::chrono::milliseconds timeout) {
  const std::string answer = co_await watch(search(mover, timeout));
  keep_figures();
  const games::BoardShape shape = position().shape();
  const auto place = place_in(answer, shape);
  if (!place) co_return answer;
  const std::string move = games::point_text(place->x, place->y);
  try {
    add(mover, move);
    known_ = stones_.size();
  } catch (const games::BadGame&) {  // the referee will find it illegal
  }
  co_return move;
}

asio::awaitable<std::string> GomocupEngine::search(Colour mover,
                                                   std::chrono::milliseconds timeout) {
  co_await tell_clock(mover);
  if (stones_.empty()) {
    std::string first = co_await ask("BEGIN", timeout);
    co_return first;
  }
  if (known_ + 1 == stones_.size() && stones_.back().colour != mover) {
    std::string reply = co_await ask("TURN " + text_of(stones_.back().place), timeout);
    co_return reply;
  }
  std::string next = co_await ask_at_board(mover, timeout);
  co_return next;
}

asio::awaitable<std::string> GomocupEngine::ask_at_board(Colour mover,
                                                         std::chrono::milliseconds timeout) {
  if (known_ > 0) co_await ask("RESTART", patience());
  co_await client().tell("BOARD", patience());
  for (const Stone& stone : stones_) {
    std::string line = text_of(stone.place) + (stone.colour == mover ? ",1" : ",2");
    co_await client().tell(std::move(line), patience());
  }
  std::string answer = co_await ask("DONE", timeout);
  co_return answer;
}

}  // namespace pitboss::clients
