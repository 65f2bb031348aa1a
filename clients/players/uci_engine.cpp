#include "clients/players/uci_engine.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr std::string_view variant_option = "UCI_Variant";

bool is_limit(std::string_view name) {
  return name == "nodes" || name == "movetime" || name == "depth";
}

/// UCI compares the names of options without regard to case.
std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The name in "option name Clear Hash type button".
std::string option_name(const std::string& line) {
  constexpr std::string_view before = "option name ";
  if (!line.starts_with(before)) return "";
  return line.substr(before.size(), line.find(" type ") - before.size());
}

/// Whether "... type combo default chess var chess var crazyhouse" has the value.
bool has_value(const std::string& line, std::string_view value) {
  std::istringstream words(line);
  std::string before;
  for (std::string word; words >> word; before = word) {
    if (before == "var" && word == value) return true;
  }
  return false;
}

/// The nodes and the depth that "info depth 9 seldepth 12 nodes 2041 pv d1d2" tells.
Effort effort_in(const std::string& info) {
  Effort effort;
  std::istringstream words(info);
  for (std::string word; words >> word && word != "string" && word != "pv";) {
    if (word != "nodes" && word != "depth") continue;
    std::int64_t number = -1;
    words >> number;
    if (number >= 0) (word == "nodes" ? effort.simulations : effort.depth) = number;
  }
  return effort;
}

}  // namespace

asio::awaitable<void> UciEngine::greet() {
  has_options_set_ = false;
  lines_ = co_await client_.ask("uci", "uciok", command_timeout);
}

asio::awaitable<Declaration> UciEngine::examine(const Match& match) {
  if (find_uci_game(match.game, match.parameters) == nullptr) {
    throw refusal("UCI programs do not play " + rules_text(match) +
                  " (but breakthrough size=8, amazons size=10, connect4, othello size=8)");
  }
  if (limits().empty()) {
    throw refusal("a search without an end: give the option nodes, movetime or depth");
  }
  co_await watch(set_up(match));
  co_return declaration();
}

/// Declares the options that keep their defaults.
Declaration UciEngine::declaration() const {
  constexpr std::string_view before_name = "id name ";
  constexpr std::string_view before_default = " default ";
  Declaration out;
  for (const std::string& line : lines_) {
    if (line.starts_with(before_name)) out.set_program(line.substr(before_name.size()));
    const std::string name = option_name(line);
    const std::size_t at = line.find(before_default);
    if (name.empty() || name == variant_option || at == std::string::npos) continue;
    const auto is_told = [&](const engine::Assignment& option) {
      return lower(option.name) == lower(name);
    };
    if (std::ranges::any_of(player().options, is_told)) continue;
    const std::size_t begin = at + before_default.size();
    const std::size_t end = std::min({line.find(" min ", begin), line.find(" max ", begin),
                                      line.find(" var ", begin), line.size()});
    out.add_option(name, line.substr(begin, end - begin));
  }
  return out;
}

asio::awaitable<void> UciEngine::begin(const Match& match, std::int64_t) {
  co_await watch(set_up(match));
}

asio::awaitable<void> UciEngine::set_up(const Match& match) {
  game_ = find_uci_game(match.game, match.parameters);
  if (game_ == nullptr) throw refusal("UCI programs do not play " + match.game);
  position_ = match.initial_position();
  moves_.clear();
  figures_.clear();
  if (!has_options_set_) co_await set_options(match);
  has_options_set_ = true;
  co_await client_.tell("ucinewgame", command_timeout);
  co_await client_.ask("isready", "readyok", command_timeout);
}

asio::awaitable<void> UciEngine::set_options(const Match& match) {
  bool has_more_variants = false;
  for (const auto& [name, value] : player().options) {
    if (is_limit(name) || name == variant_option) continue;
    co_await set_option(name, value);
    has_more_variants = has_more_variants || name == "VariantPath";
  }
  if (has_more_variants) lines_ = co_await client_.ask("uci", "uciok", command_timeout);
  co_await set_option(std::string(variant_option), variant());
  co_await client_.ask("isready", "readyok", command_timeout);
  if (game_->notation != UciGame::Notation::arrows) co_return;
  // The program's own first move shows how it writes arrows.
  const std::string move = co_await search("nodes 1", command_timeout);
  if (!from_uci(*game_, move)) throw refusal("writes moves of " + match.game + " as " + move);
  arrow_ = move.find(',') == std::string::npos ? UciArrow::with_piece : UciArrow::with_comma;
}

asio::awaitable<void> UciEngine::set_option(std::string name, std::string value) {
  const auto line = std::ranges::find_if(
      lines_, [&](const std::string& l) { return lower(option_name(l)) == lower(name); });
  if (line == lines_.end()) throw refusal("has no option " + name);
  if (line->find(" type combo ") != std::string::npos && !has_value(*line, value)) {
    throw refusal("has no " + value + " for the option " + name);
  }
  co_await client_.tell("setoption name " + name + " value " + value, command_timeout);
}

asio::awaitable<void> UciEngine::play(games::Colour, std::string move) {
  add(move);
  co_return;
}

asio::awaitable<std::string> UciEngine::genmove(games::Colour, std::chrono::milliseconds timeout) {
  const std::string answer = co_await watch(search(limits(), timeout));
  figures_.push_back({std::nullopt, effort_in(client_.info())});
  const auto move = from_uci(*game_, answer);
  if (!move) co_return answer;
  try {
    add(*move);
  } catch (const games::BadGame&) {  // the referee will find it illegal
  }
  co_return *move;
}

asio::awaitable<std::string> UciEngine::search(std::string limits,
                                               std::chrono::milliseconds timeout) {
  const std::string moves = moves_.empty() ? "" : " moves" + moves_;
  co_await client_.tell("position startpos" + moves, command_timeout);
  const auto lines = co_await client_.ask("go " + limits, "bestmove", timeout);
  std::istringstream words(lines.back());
  std::string move;
  words >> move >> move;
  co_return move;
}

/// Plays a move in `position_` and `moves_`. Throws BadGame if the move is not legal.
void UciEngine::add(std::string_view move) {
  const std::string legal = position_->canonical(move);
  const std::string text = to_uci(*game_, *position_, legal, arrow_);
  position_->play(legal);
  moves_ += " " + text;
}

std::string UciEngine::variant() const {
  for (const auto& [name, value] : player().options) {
    if (name == variant_option) return value;
  }
  return std::string(game_->variant);
}

/// "nodes 1000 movetime 500"
std::string UciEngine::limits() const {
  std::string out;
  for (const auto& [name, value] : player().options) {
    if (is_limit(name)) out += (out.empty() ? "" : " ") + name + " " + value;
  }
  return out;
}

}  // namespace pitboss::clients
