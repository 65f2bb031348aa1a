#include "clients/players/uci_engine.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "environment/awake_clock.hpp"
#include "games/letter_case.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

namespace {

constexpr std::string_view variant_option = "UCI_Variant";
constexpr std::string_view ponder_option = "Ponder";

bool is_limit(std::string_view name) {
  return name == "nodes" || name == "movetime" || name == "depth";
}

}  // namespace

asio::awaitable<void> UciEngine::greet() {
  has_options_set_ = false;
  pondered_on_.clear();
  co_await hear_options();
}

asio::awaitable<void> UciEngine::hear_options() {
  constexpr std::string_view before_name = "id name ";
  options_.clear();
  set_program({});
  for (const std::string& line : co_await client().ask("uci", "uciok", patience())) {
    if (line.starts_with(before_name)) set_program(line.substr(before_name.size()));
    if (auto option = read_uci_option(line)) options_.push_back(std::move(*option));
  }
}

void UciEngine::check(const Match& match) const {
  if (find_uci_game(match.game, match.parameters) == nullptr) {
    throw refusal("UCI programs do not play " + rules_text(match) +
                  " (but breakthrough size=8, amazons size=10, connect4, othello size=8)");
  }
  if (limits().empty() && !player().clock) {
    throw refusal("a search needs a bound: give the option nodes, movetime or depth, or a tc");
  }
}

Declaration UciEngine::declaration() const {
  Declaration out = LineEngine::declaration();
  for (const UciOption& option : options_) {
    const auto is_told = [&](const engine::Assignment& told) {
      return games::same_ignoring_case(told.name, option.name);
    };
    if (option.default_value.empty() || games::same_ignoring_case(option.name, variant_option))
      continue;
    if (std::ranges::any_of(player().options, is_told)) continue;
    out.add_option(option.name, option.default_value);
  }
  return out;
}

asio::awaitable<void> UciEngine::set_up(const Match& match, std::int64_t) {
  game_ = find_uci_game(match.game, match.parameters);
  if (game_ == nullptr) throw refusal("UCI programs do not play " + match.game);
  start_game(match);
  co_await stop_pondering();
  moves_.clear();
  if (!has_options_set_) co_await set_options(match);
  has_options_set_ = true;
  co_await client().tell("ucinewgame", patience());
  co_await client().ask("isready", "readyok", patience());
}

asio::awaitable<void> UciEngine::set_options(const Match& match) {
  bool has_more_variants = false;
  for (const auto& [name, value] : player().options) {
    if (is_limit(name) || games::same_ignoring_case(name, variant_option)) continue;
    co_await set_option(name, value);
    has_more_variants = has_more_variants || games::same_ignoring_case(name, "VariantPath");
  }
  if (has_more_variants) co_await hear_options();
  co_await set_option(std::string(variant_option), variant());
  co_await client().ask("isready", "readyok", patience());
  if (game_->notation != UciGame::Notation::arrows) co_return;
  // The program's own first move shows how it writes arrows.
  const auto [move, reply] = co_await search("nodes 1", patience());
  if (!from_uci(*game_, move))
    throw refusal("the engine writes moves of " + match.game +
                  " in a form that is not known: " + move);
  arrow_ = move.find(',') == std::string::npos ? UciArrow::with_piece : UciArrow::with_comma;
}

asio::awaitable<void> UciEngine::set_option(std::string name, std::string value) {
  const auto option = std::ranges::find_if(options_, [&](const UciOption& declared) {
    return games::same_ignoring_case(declared.name, name);
  });
  if (option == options_.end()) {
    std::vector<std::string_view> names;
    for (const UciOption& declared : options_) names.push_back(declared.name);
    throw refusal("has no option " + name + games::did_you_mean(name, names));
  }
  co_await client().tell(option->command(value), patience());
}

asio::awaitable<void> UciEngine::play(games::Colour, std::string move) {
  add(move);
  co_return;
}

asio::awaitable<std::string> UciEngine::genmove(Colour mover, std::chrono::milliseconds timeout) {
  const auto asked = environment::AwakeClock::now();
  const BestMove answer = co_await watch(search(limits(mover), timeout));
  keep_figures();
  const auto move = from_uci(*game_, answer.move);
  if (!move) co_return answer.move;
  try {
    add(*move);
  } catch (const games::BadGame&) {
    co_return *move;  // the referee will find it illegal
  }
  if (ponders()) {
    if (const auto& left = time_left(mover); player().clock && left) {
      const auto used = environment::AwakeClock::now() - asked;
      tell_time(mover, protocol::time_after(*player().clock, *left, used));
    }
    co_await watch(ponder(mover, answer.reply));
  }
  co_return *move;
}

asio::awaitable<UciEngine::BestMove> UciEngine::search(std::string limits,
                                                       std::chrono::milliseconds timeout) {
  std::string command = "ponderhit";
  if (pondered_on_.empty() || pondered_on_ != moves_) {
    co_await stop_pondering();
    const std::string moves = moves_.empty() ? "" : " moves" + moves_;
    co_await client().tell("position startpos" + moves, patience());
    command = "go " + limits;
  }
  pondered_on_.clear();
  const auto lines = co_await client().ask(std::move(command), "bestmove", timeout);
  std::istringstream words(lines.back());
  BestMove answer;
  std::string word;
  words >> word >> answer.move >> word >> answer.reply;
  co_return answer;
}

/// Has the engine search on for its next move, as if the opponent had given the reply, which it
/// may not: the next search tells.
asio::awaitable<void> UciEngine::ponder(Colour mover, std::string reply) {
  const auto next = position().clone();
  std::string text;
  try {
    const std::string move = next->canonical(from_uci(*game_, reply).value_or(""));
    text = to_uci(*game_, *next, move, arrow_);
    next->play(move);
  } catch (const games::BadGame&) {
    co_return;
  }
  if (next->result().finished()) co_return;
  pondered_on_ = moves_ + " " + text;
  co_await client().tell("position startpos moves" + pondered_on_, patience());
  std::string command = "go ponder " + limits(mover);
  co_await client().tell(std::move(command), patience());
  client().stream().read_ahead();
}

asio::awaitable<void> UciEngine::stop_pondering() {
  if (pondered_on_.empty()) co_return;
  pondered_on_.clear();
  co_await client().ask("stop", "bestmove", patience());
  co_await client().ask("isready", "readyok", patience());  // if it had ended by itself
}

asio::awaitable<void> UciEngine::finish() { co_await watch(stop_pondering()); }

bool UciEngine::ponders() const {
  return std::ranges::any_of(player().options, [](const engine::Assignment& option) {
    return games::same_ignoring_case(option.name, ponder_option) &&
           games::same_ignoring_case(option.value, "true");
  });
}

/// Plays a move in the position and `moves_`. Throws BadGame if the move is not legal.
void UciEngine::add(std::string_view move) {
  const std::string legal = position().canonical(move);
  const std::string text = to_uci(*game_, position(), legal, arrow_);
  position().play(legal);
  moves_ += " " + text;
}

std::string UciEngine::variant() const {
  for (const auto& [name, value] : player().options) {
    if (games::same_ignoring_case(name, variant_option)) return value;
  }
  return std::string(game_->variant);
}

/// "wtime 9500 btime 10000 winc 100 binc 100" and, where moves are counted, "movestogo 12"; empty
/// without a clock. UCI's white moves first. A player without a clock is shown with the other's.
/// UCI has no byo-yomi: a period is the time for one move, and the periods behind it are a reserve.
std::string UciEngine::clock_limits(Colour mover) const {
  const auto& own = time_left(mover);
  if (!player().clock || !own) return {};
  const protocol::TimeSettings& clock = *player().clock;
  const bool has_increment = clock.system == protocol::TimeSystem::fischer;
  const std::int64_t increment = has_increment ? milliseconds_of(clock.period) : 0;
  const bool is_byo_yomi = clock.system == protocol::TimeSystem::byo_yomi;
  const int moves = is_byo_yomi ? std::min(own->count, 1) : own->count;
  std::ostringstream out;
  out << "wtime " << milliseconds_of(time_left(Colour::black).value_or(*own).time)  //
      << " btime " << milliseconds_of(time_left(Colour::white).value_or(*own).time) << " winc "
      << increment << " binc " << increment;
  if (moves > 0) out << " movestogo " << moves;
  return out.str();
}

std::string UciEngine::limits(Colour mover) const {
  const std::string clock = clock_limits(mover);
  const std::string others = limits();
  return clock + (clock.empty() || others.empty() ? "" : " ") + others;
}

/// "nodes 1000 movetime 500"
std::string UciEngine::limits() const {
  std::string out;
  for (const engine::Assignment& option : player().options) {
    if (!is_limit(option.name)) continue;
    out += (out.empty() ? "" : " ") + option.name + " " +
           std::to_string(positive_option(player(), option.name).value());
  }
  return out;
}

}  // namespace pitboss::clients
