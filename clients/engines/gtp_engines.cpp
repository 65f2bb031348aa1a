#include "clients/engines/gtp_engines.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

namespace {

bool has_line(const std::string& text, std::string_view line) {
  std::istringstream lines(text);
  for (std::string l; std::getline(lines, l);) {
    if (l == line) return true;
  }
  return false;
}

/// How long a server plays by itself before it tells.
constexpr std::chrono::seconds duel_time(1);

/// The next word of `text`, which is taken off it; empty at its end.
std::string_view take_word(std::string_view& text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
  const char* const begin = std::ranges::find_if_not(text, is_blank);
  const char* const end = std::find_if(begin, text.end(), is_blank);
  text = {end, text.end()};
  return {begin, end};
}

/// Nothing if `answer` is none to `duel`.
std::optional<Exchange> read_exchange(std::string_view answer) {
  Exchange exchange;
  for (auto* const times : {&exchange.seconds, &exchange.longest}) {
    for (double& seconds : *times) {
      const std::string_view word = take_word(answer);
      const auto [end, error] = std::from_chars(word.begin(), word.end(), seconds);
      const bool is_good = error == std::errc{} && end == word.end();
      if (!is_good || !std::isfinite(seconds) || seconds < 0) return std::nullopt;
    }
  }
  while (true) {
    const std::string_view move = take_word(answer);
    if (move.empty()) break;
    exchange.moves.emplace_back(move);
  }
  if (exchange.moves.empty()) return std::nullopt;
  return exchange;
}

/// Follows {"move": M, "moves": [{"move": M, "value": V, ...}, ...]}, and stops at V.
class SearchReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::optional<double> value;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t number) override {
    return take(static_cast<double>(number));
  }
  bool number_unsigned(number_unsigned_t number) override {
    return take(static_cast<double>(number));
  }
  bool number_float(number_float_t number, const string_t&) override { return take(number); }
  bool string(string_t& text) override {
    if (key_ == "move" && depth_ == 1) chosen_ = text;
    if (key_ == "move" && depth_ == 2 && in_moves_) is_chosen_ = text == chosen_;
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    is_chosen_ = false;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == 1) in_moves_ = key_ == "moves";
    return true;
  }
  bool end_array() override { return true; }
  bool key(string_t& name) override {
    key_ = name;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  bool take(double number) {
    if (key_ != "value" || depth_ != 2 || !is_chosen_) return true;
    if (number >= 0 && number <= 1) value = number;
    return false;
  }

  int depth_ = 0;
  bool in_moves_ = false;
  bool is_chosen_ = false;
  std::string key_;
  std::string chosen_;
};

}  // namespace

// Both.

asio::awaitable<void> GtpEngine::greet() {
  const std::string version = co_await demand("protocol_version");
  if (version != "2") {
    wire().fail(GtpFailure::Kind::refused, "does not speak GTP 2");
  }
}

asio::awaitable<std::string> GtpEngine::ask(std::string command) {
  GtpAnswer answer = co_await client_.ask(std::move(command), command_timeout);
  co_return answer.ok ? std::move(answer.text) : std::string();
}

asio::awaitable<std::string> GtpEngine::program() {
  std::string text = co_await ask("name");
  const std::string version = co_await ask("version");
  if (!version.empty()) text += (text.empty() ? "" : " ") + version;
  co_return text;
}

asio::awaitable<void> GtpEngine::play(Colour mover, std::string move) {
  tell("play " + letter_of(mover) + " " + move);
  co_return;
}

asio::awaitable<std::string> GtpEngine::genmove(Colour mover, std::chrono::milliseconds timeout) {
  co_return co_await ask_next("genmove " + letter_of(mover), timeout);
}

asio::awaitable<std::string> GtpEngine::ask_next(std::string command,
                                                 std::chrono::milliseconds timeout) {
  std::vector<std::string> commands = take_untold();
  commands.push_back(std::move(command));
  std::vector<std::string> texts = co_await watch(client_.demand_all(std::move(commands), timeout));
  co_return std::move(texts.back());
}

// Ours.

asio::awaitable<void> PitbossEngine::greet() {
  set_up_for_.clear();
  challenges_.clear();
  co_await GtpEngine::greet();
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
  co_return declaration;
}

asio::awaitable<void> PitbossEngine::look_for_game(const Match& match) {
  const std::string name = co_await demand("name");
  const std::string games = co_await demand("games");
  if (!has_line(games, match.game)) {
    throw refusal(printable(name) + " does not have the game " + match.game);
  }
}

asio::awaitable<void> PitbossEngine::begin(const Match& match, std::int64_t seed) {
  co_await watch(set_up(match, seed));
}

std::string PitbossEngine::game_command(const Match& match) {
  std::string command = "game " + match.game;
  for (const auto& [name, text] : match.parameters.values()) command += " " + name + "=" + text;
  return command;
}

std::vector<std::string> PitbossEngine::set_up_commands(const Match& match,
                                                        std::int64_t seed) const {
  std::vector<std::string> commands{game_command(match)};
  if (commands[0] != set_up_for_) {
    for (const auto& [name, value] : player().options) {
      commands.push_back("setoption name " + name + " value " + value);
    }
  }
  commands.push_back("setoption name seed value " + std::to_string(seed));
  return commands;
}

asio::awaitable<void> PitbossEngine::set_up(const Match& match, std::int64_t seed) {
  begin_game(match);
  challenges_.clear();
  std::vector<std::string> commands = set_up_commands(match, seed);
  set_up_for_.clear();  // a refusal leaves it open what has been taken
  co_await client().demand_all(std::move(commands), command_timeout);
  set_up_for_ = game_command(match);
}

void PitbossEngine::announce(const Match& match, std::int64_t seed) {
  if (challenges_.empty()) begin_game(match);  // else the games before are still to be told
  for (std::string& command : set_up_commands(match, seed)) tell(std::move(command));
  announced_ = game_command(match);
}

asio::awaitable<bool> PitbossEngine::can_duel() {
  if (!knows_duel_) {
    const GtpAnswer answer = co_await watch(client().ask("known_command duel", command_timeout));
    knows_duel_ = answer.ok && answer.text == "true";
  }
  co_return *knows_duel_;
}

void PitbossEngine::challenge(const Player& other, std::int64_t other_seed,
                              std::span<const int> owner, int plies) {
  std::string command = "duel ";
  for (const int player : owner) command += player == 0 ? '1' : '2';
  command += " " + std::to_string(plies) + " " + std::to_string(duel_time.count());
  for (const auto& [name, value] : other.options) command += " " + name + "=" + value;
  command += " seed=" + std::to_string(other_seed);
  challenges_.push_back(untold());
  tell(std::move(command));
}

asio::awaitable<std::vector<Exchange>> PitbossEngine::fight(std::chrono::milliseconds timeout) {
  const std::vector<std::size_t> challenges = std::exchange(challenges_, {});
  std::vector<std::string> commands = take_untold();
  const auto patience = challenges.size() * (duel_time + timeout) + command_timeout;
  set_up_for_.clear();
  const std::vector<std::string> answers =
      co_await watch(client().demand_all(std::move(commands), patience));
  set_up_for_ = announced_;
  std::vector<Exchange> exchanges;
  for (const std::size_t challenge : challenges) {
    std::optional<Exchange> exchange = read_exchange(answers[challenge]);
    if (!exchange) {
      wire().fail(GtpFailure::Kind::garbage, "garbage: " + printable(answers[challenge], 40));
    }
    exchanges.push_back(std::move(*exchange));
  }
  co_return exchanges;
}

asio::awaitable<std::optional<double>> PitbossEngine::value() {
  const GtpAnswer answer = co_await watch(client().ask("last_search", command_timeout));
  if (!answer.ok) co_return std::nullopt;  // another program, or a move without a search
  co_return value_in_search(answer.text);
}

std::optional<double> value_in_search(std::string_view json) {
  SearchReader reader;
  nlohmann::json::sax_parse(json, &reader);
  return reader.value;
}

// Others.

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

asio::awaitable<void> PlainGtpEngine::begin(const Match& match, std::int64_t) {
  co_await watch(set_up(match));
}

asio::awaitable<void> PlainGtpEngine::set_up(const Match& match) {
  begin_game(match);
  for (const std::string& command : player().setup) co_await demand(command);
  if (match.parameters.has("size")) co_await demand("boardsize " + match.parameters.text("size"));
  co_await demand("clear_board");
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
