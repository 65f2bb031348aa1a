#include "clients/players/pitboss_engine.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// How long a server plays by itself before it tells.
constexpr std::chrono::seconds duel_time(1);
/// How long a server that is busy is asked again, and after how long each time.
constexpr std::chrono::seconds longest_wait(60);
constexpr std::chrono::milliseconds time_to_wait(50);

/// Whether a server refuses what it may grant as soon as others have ended: no player's fault.
bool is_busy(const GtpAnswer& answer) {
  return answer.code == protocol::FailureCode::busy ||
         answer.code == protocol::FailureCode::no_memory;
}

/// The next word of `text`, which is taken off it; empty at its end.
std::string_view take_word(std::string_view& text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  const char* const begin = std::ranges::find_if_not(text, is_blank);
  const char* const end = std::find_if(begin, text.end(), is_blank);
  text = {end, text.end()};
  return {begin, end};
}

/// The next line of `text`, which is taken off it.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// Nothing if the word is no finite number.
std::optional<double> number_in(std::string_view word) {
  double number = 0;
  const auto [end, error] = std::from_chars(word.begin(), word.end(), number);
  const bool is_good = error == std::errc{} && end == word.end() && std::isfinite(number);
  return is_good ? std::optional(number) : std::nullopt;
}

/// Nothing if `answer` is none to `duel`: times, moves, and of newer servers the moves' values.
std::optional<Exchange> read_exchange(std::string_view answer) {
  Exchange exchange;
  std::string_view line = take_line(answer);
  for (auto* const times : {&exchange.seconds, &exchange.longest}) {
    for (double& seconds : *times) {
      const auto number = number_in(take_word(line));
      if (!number || *number < 0) return std::nullopt;
      seconds = *number;
    }
  }
  line = take_line(answer);
  for (auto move = take_word(line); !move.empty(); move = take_word(line)) {
    exchange.moves.emplace_back(move);
  }
  for (auto word = take_word(answer); !word.empty(); word = take_word(answer)) {
    const auto value = number_in(word);
    if (!value && word != "-") return std::nullopt;
    exchange.values.push_back(value ? std::optional(std::clamp(*value, 0.0, 1.0)) : std::nullopt);
  }
  const bool fits = exchange.values.empty() || exchange.values.size() == exchange.moves.size();
  if (exchange.moves.empty() || !fits) return std::nullopt;
  return exchange;
}

}  // namespace

asio::awaitable<void> PitbossEngine::greet() {
  set_up_for_.clear();
  tells_values_ = true;
  co_await GtpEngine::greet();
  co_await client().ask_for_codes(true, patience());
}

asio::awaitable<Declaration> PitbossEngine::examine(const Match& match) {
  co_await watch(look_for_game(match));
  co_await watch(set_up(match, 1));
  co_return co_await watch(declare());
}

asio::awaitable<Declaration> PitbossEngine::declare() {
  Declaration declaration;
  declaration.set_program(co_await program());
  const std::string options = co_await ask("kata-get-params");
  const auto json = nlohmann::json::parse(options, nullptr, false);
  if (!json.is_object()) co_return declaration;
  for (const auto& [name, value] : json.items()) {
    if (name == "seed" || value.is_structured()) continue;
    declaration.add_option(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  if (json.value("evaluation", "") == "network" || json.value("prior", "") == "features" ||
      json.value("playout", "") == "features") {
    const auto told = nlohmann::json::parse(co_await demand("evaluate"), nullptr, false);
    for (const char* model : {"network", "features"}) {
      const auto used = told.is_object() ? told.value(model, nlohmann::json()) : told;
      if (!used.is_object()) continue;
      declaration.add_option(std::string(model) + "_sha256", used.value("sha256", ""));
    }
  }
  co_return declaration;
}

asio::awaitable<void> PitbossEngine::look_for_game(const Match& match) {
  const GtpAnswer games = co_await client().ask("games", patience());
  if (!games.ok) {
    throw refusal("does not know the command games: if it speaks plain GTP, say speaks=gtp");
  }
  if (!has_line(games.text, match.game)) {
    const std::string name = co_await ask("name");
    throw refusal(printable(name) + " does not have the game " + match.game);
  }
}

std::string PitbossEngine::game_command(const Match& match) {
  std::string command = "game " + match.game;
  for (const auto& [name, text] : match.parameters.values()) command += " " + name + "=" + text;
  return command;
}

asio::awaitable<void> PitbossEngine::set_up(const Match& match, std::int64_t seed) {
  begin_game(match);
  values_.clear();
  is_value_due_ = false;
  const std::string game = game_command(match);
  std::vector<std::string> commands{game};
  if (game != set_up_for_) {
    for (const auto& [name, value] : player().options) {
      commands.push_back("setoption name " + name + " value " + value);
    }
  }
  commands.push_back("setoption name seed value " + std::to_string(seed));
  set_up_for_.clear();  // a refusal leaves it open what has been taken
  co_await client().demand_all(std::move(commands), patience());
  set_up_for_ = game;
}

asio::awaitable<bool> PitbossEngine::can_duel() {
  if (!knows_duel_) {
    const GtpAnswer answer = co_await watch(client().ask("known_command duel", command_timeout));
    knows_duel_ = answer.ok && answer.text == "true";
  }
  co_return *knows_duel_;
}

asio::awaitable<Exchange> PitbossEngine::duel(const Player& other, std::int64_t other_seed,
                                              std::span<const int> owner, int plies,
                                              std::chrono::milliseconds timeout) {
  std::string command = "duel ";
  for (const int player : owner) command += player == 0 ? '1' : '2';
  command += " " + std::to_string(plies) + " " + std::to_string(duel_time.count());
  for (const auto& [name, value] : other.options) command += " " + name + "=" + value;
  command += " seed=" + std::to_string(other_seed);
  const std::string answer = co_await ask_next(std::move(command), duel_time + timeout);
  std::optional<Exchange> exchange = read_exchange(answer);
  if (!exchange) {
    stream().fail(EngineFailure::Kind::garbage, "garbage: " + printable(answer, 40));
  }
  co_return std::move(*exchange);
}

/// The value of the move before is asked for in the same write, which costs no time of its own:
/// what the engine thinks on the opponent's time ends with these commands anyway.
asio::awaitable<std::string> PitbossEngine::genmove(games::Colour mover,
                                                    std::chrono::milliseconds timeout) {
  const bool asks = std::exchange(is_value_due_, false);
  std::vector<std::string> commands;
  if (asks) commands.emplace_back("last_value");
  for (std::string& command : take_untold()) commands.push_back(std::move(command));
  commands.push_back(genmove_command(mover));
  std::vector<GtpAnswer> answers = co_await watch(client().ask_all(commands, timeout));
  const auto patience = std::chrono::steady_clock::now() + longest_wait;
  while (is_busy(answers.back()) && std::chrono::steady_clock::now() < patience) {
    asio::steady_timer pause(co_await asio::this_coro::executor, time_to_wait);
    co_await pause.async_wait(asio::use_awaitable);
    answers.back() = co_await watch(client().ask(commands.back(), timeout));
  }
  if (asks) hear_value(answers.front());
  expect_success(std::span(commands).subspan(asks), std::span(answers).subspan(asks));
  is_value_due_ = tells_values_;
  co_return std::move(answers.back().text);
}

asio::awaitable<std::vector<std::optional<double>>> PitbossEngine::values() {
  if (std::exchange(is_value_due_, false)) {
    hear_value(co_await watch(client().ask("last_value", command_timeout)));
  }
  co_return values_;
}

asio::awaitable<Evaluations> PitbossEngine::evaluations() {
  if (!uses_network(player())) co_return Evaluations();
  const GtpAnswer answer = co_await watch(client().ask("evaluations", command_timeout));
  const auto json = nlohmann::json::parse(answer.text, nullptr, false);
  const auto count = [&](const char* key) -> std::int64_t {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_unsigned() ? found->get<std::int64_t>() : 0;
  };
  if (!answer.ok || !json.is_object()) co_return Evaluations();  // an older server
  co_return Evaluations{count("remote"), count("local")};
}

/// A refusal may be for this move alone: one without a search. A server that does not know the
/// command, or tells no codes, is not asked again.
void PitbossEngine::hear_value(const GtpAnswer& answer) {
  constexpr auto unknown = protocol::FailureCode::unknown_command;
  tells_values_ = answer.ok || answer.code.value_or(unknown) != unknown;
  if (!tells_values_) return;
  const auto value = answer.ok ? number_in(answer.text) : std::nullopt;
  values_.push_back(value ? std::optional(std::clamp(*value, 0.0, 1.0)) : std::nullopt);
}

}  // namespace pitboss::clients
