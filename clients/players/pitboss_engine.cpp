#include "clients/players/pitboss_engine.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "clients/experiments/number_in.hpp"
#include "engine/sha256.hpp"
#include "environment/awake_clock.hpp"
#include "protocol/line.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// How long a server plays by itself before it tells.
constexpr std::chrono::seconds duel_time(1);
/// How long at most a server that is busy is asked again, and after how long each time.
constexpr std::chrono::seconds longest_wait(60);
constexpr std::chrono::milliseconds time_to_wait(50);

/// For a player with a clock, unless its options say another lag: the way to the referee does not
/// count, but the end of a search may wait for a worker.
const std::string lag_command = "setoption name lag value 20";

/// Short games with these options identify a search: by playouts, by the game's static value, and
/// with novelty. They say all that such searches read, so that a server's own values do not count.
struct SearchOfSignature {
  std::string_view simulations;  ///< of each move
  std::string_view options;      ///< the others
};
constexpr int plies_of_signature = 6;
constexpr std::array searches_of_signature{
    SearchOfSignature{
        "20",
        "preset=uct seed=1 movetime=0 cputime=0 tree_mb=16 threads=1 ponder=false exact=false"},
    SearchOfSignature{"100",
                      "preset=reference evaluation=static novelty=none k=0.5 seed=1 "
                      "movetime=0 cputime=0 tree_mb=16 threads=1 ponder=false exact=false"},
    SearchOfSignature{"20",
                      "preset=reference evaluation=playout playout=uniform "
                      "novelty=pseudocount k=0.5 alpha=0.5 beta=0.01 gamma=0.1 seed=1 "
                      "movetime=0 cputime=0 tree_mb=16 threads=1 ponder=false exact=false"}};
/// For a server that has much to do.
constexpr std::chrono::seconds time_for_signature(60);
/// What a duel tells in a finished game.
constexpr std::string_view no_more_moves = "0 0 0 0";

/// Whether a server refuses what it may grant later: no player's fault.
bool is_busy(const GtpAnswer& answer) {
  return answer.code && protocol::row_of(*answer.code).may_try_again;
}

/// Whether a member of an object is this word.
bool is_word(const nlohmann::json& object, const char* key, std::string_view word) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() &&
         found->get_ref<const std::string&>() == word;
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

/// Nothing if the word is not a finite number.
std::optional<double> finite_in(std::string_view word) {
  const auto number = number_in<double>(word);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

/// Nothing if the word is not a whole number of at least 0.
std::optional<std::int64_t> whole_in(std::string_view word) {
  const auto number = number_in<std::int64_t>(word);
  return number && *number >= 0 ? number : std::nullopt;
}

std::optional<double> value_in(std::string_view word) {
  const auto value = finite_in(word);
  return value ? std::optional(std::clamp(*value, 0.0, 1.0)) : std::nullopt;
}

std::optional<std::int64_t> microseconds_in(std::string_view word) {
  constexpr double most = 1e9;  // seconds
  const auto seconds = finite_in(word);
  if (!seconds || *seconds < 0 || *seconds > most) return std::nullopt;
  return std::llround(*seconds * 1e6);
}

/// Whether an exact solver has found the move.
std::optional<bool> proof_in(std::string_view word) {
  return word == "exact" ? std::optional(true) : std::nullopt;
}

/// Reads a line with a word for each move into the moves' figures; a missing line tells nothing.
/// False if there are not as many words as moves, or one is neither "-" nor a figure.
template <class Read, class Keep>
bool read_figures(std::string_view line, std::vector<MoveFigures>& figures, const Read& read,
                  const Keep& keep) {
  std::size_t words = 0;
  for (auto word = take_word(line); !word.empty(); word = take_word(line), ++words) {
    if (words == figures.size()) return false;
    const auto figure = read(word);
    if (!figure && word != "-") return false;
    keep(figures[words], figure);
  }
  return words == 0 || words == figures.size();
}

/// Nothing if `answer` is none to `duel`: times, moves, and the moves' figures as far as it tells.
std::optional<Exchange> read_exchange(std::string_view answer) {
  Exchange exchange;
  std::string_view line = take_line(answer);
  for (auto* const times : {&exchange.seconds, &exchange.longest}) {
    for (double& seconds : *times) {
      const auto number = finite_in(take_word(line));
      if (!number || *number < 0) return std::nullopt;
      seconds = *number;
    }
  }
  line = take_line(answer);
  for (auto move = take_word(line); !move.empty(); move = take_word(line)) {
    exchange.moves.emplace_back(move);
  }
  auto& figures = exchange.figures;
  figures.resize(exchange.moves.size());
  const auto read = [&](const auto& figure_in, const auto& keep) {
    return read_figures(take_line(answer), figures, figure_in, keep);
  };
  const bool is_read =
      !exchange.moves.empty() && read(value_in, [](auto& of, auto figure) { of.value = figure; }) &&
      read(whole_in, [](auto& of, auto figure) { of.effort.simulations = figure; }) &&
      read(whole_in, [](auto& of, auto figure) { of.effort.depth = figure; }) &&
      read(microseconds_in, [](auto& of, auto figure) { of.effort.processor_us = figure; }) &&
      read(microseconds_in, [](auto& of, auto figure) { of.effort.search_us = figure; }) &&
      read(proof_in, [](auto& of, auto figure) { of.effort.is_exact = figure.has_value(); });
  return is_read ? std::optional(std::move(exchange)) : std::nullopt;
}

}  // namespace

asio::awaitable<void> PitbossEngine::greet() {
  set_up_for_.clear();
  duelling_instance_.reset();
  co_await GtpEngine::greet();
  co_await client().ask_for_codes(true, patience());
}

asio::awaitable<Declaration> PitbossEngine::examine(const Match& match) {
  co_await watch(look_for_game(match));
  co_await watch(set_up(match, 1));
  co_await watch(assess());
  co_return declaration();
}

Declaration PitbossEngine::declaration() const {
  Declaration declaration = declaration_;
  for (const auto& [model, used] : models_) {
    std::string hashes;
    for (const std::string& sha256 : used.sha256) hashes += (hashes.empty() ? "" : " ") + sha256;
    if (!hashes.empty()) declaration.add_option(model + "_sha256", hashes);
  }
  return declaration;
}

/// Has the server load what the options name, and hears which files they are.
asio::awaitable<void> PitbossEngine::assess() {
  const auto is_used = [](const auto& model) { return model.second.are_used; };
  if (std::ranges::none_of(models_, is_used)) co_return;
  const std::string answer = co_await demand("evaluate");
  const auto told = nlohmann::json::parse(answer, nullptr, false);
  for (auto& [model, used] : models_) {
    if (!used.are_used) continue;
    const auto found = told.find(model);
    const auto sha256 = found == told.end() || !found->is_object()
                            ? nlohmann::json()
                            : found->value("sha256", nlohmann::json());
    if (!sha256.is_string() || sha256.get_ref<const std::string&>().empty()) {
      stream().fail(EngineFailure::Kind::garbage, "garbage: evaluate tells no sha256 of its " +
                                                      model + ": " + printable(answer, 40));
    }
    used.sha256 = {sha256.get<std::string>()};
  }
}

/// The object that an answer is; anything else is garbage.
nlohmann::json PitbossEngine::object_in(std::string_view told) {
  auto json = nlohmann::json::parse(told, nullptr, false);
  if (!json.is_object()) {
    stream().fail(EngineFailure::Kind::garbage, "garbage: " + printable(told, 40));
  }
  return json;
}

/// Hears the answer to `kata-get-params`.
void PitbossEngine::hear_options(std::string_view told) {
  const auto json = object_in(told);
  for (const auto& [name, value] : json.items()) {
    if (name == "seed" || value.is_structured()) continue;
    declaration_.add_option(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  models_["network"].are_used = is_word(json, "evaluation", "network");
  models_["features"].are_used =
      is_word(json, "prior", "features") || is_word(json, "playout", "features");
}

/// Hears the answer to `evaluations`.
void PitbossEngine::hear_models(std::string_view told) {
  const auto json = object_in(told);
  const auto count = [&](const char* key) -> std::int64_t {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_unsigned() ? found->get<std::int64_t>() : 0;
  };
  evaluations_ = {count("remote"), count("local")};
  for (auto& [model, used] : models_) {
    used.sha256.clear();
    const auto found = json.find(model);
    if (found == json.end() || !found->is_array()) continue;
    for (const auto& sha256 : *found) {
      if (sha256.is_string()) used.sha256.push_back(sha256.get<std::string>());
    }
  }
}

asio::awaitable<void> PitbossEngine::look_for_game(const Match& match) {
  const GtpAnswer games = co_await client().ask("games", patience());
  const auto known = text_if_known("games", games);
  if (!known) {
    throw refusal("does not know the command games: if it speaks plain GTP, say speaks=gtp");
  }
  if (!has_line(*known, match.game)) {
    const std::string name =
        text_if_known("name", co_await client().ask("name", patience())).value_or("it");
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
  figures_.clear();
  evaluations_ = {};
  declaration_ = {};
  models_.clear();
  is_due_ = false;
  const std::string game = game_command(match);
  std::vector<std::string> commands{game};
  if (game != set_up_for_) {
    if (player().clock) commands.push_back(lag_command);
    for (const auto& [name, value] : player().options) {
      commands.push_back("setoption name " + name + " value " + value);
    }
  }
  if (player().clock) {
    set_clock(clock_of_ours(*player().clock));
    commands.push_back(clock()->settings);
  }
  commands.push_back("setoption name seed value " + std::to_string(seed));
  const std::size_t orders = commands.size();
  commands.insert(commands.end(), program_questions.begin(), program_questions.end());
  commands.emplace_back("kata-get-params");
  set_up_for_.clear();  // a refusal leaves it open what has been taken
  const std::vector<GtpAnswer> answers = co_await client().ask_all(commands, patience());
  const auto told = std::span(answers).subspan(orders);
  declaration_.set_program(hear_program(told));
  expect_success(std::span(commands).first(orders), std::span(answers).first(orders));
  set_up_for_ = game;
  if (const auto options = text_if_known(commands.back(), told.back())) hear_options(*options);
}

asio::awaitable<std::optional<std::string>> PitbossEngine::duelling_instance() {
  if (!duelling_instance_) {
    const std::string question = "known_command duel";
    const GtpAnswer answer = co_await watch(client().ask(question, command_timeout));
    std::optional<std::string> instance;
    if (text_if_known(question, answer) == "true") {
      const auto facts = co_await about();
      instance = facts ? facts->instance : "";
    }
    duelling_instance_ = std::move(instance);
  }
  co_return *duelling_instance_;
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

/// The figures of the move before are asked for in the same write, which costs no time of its own:
/// what the engine thinks on the opponent's time ends with these commands anyway.
asio::awaitable<std::string> PitbossEngine::genmove(games::Colour mover,
                                                    std::chrono::milliseconds timeout) {
  std::vector<std::string> before = take_questions();
  const std::size_t questions = before.size();
  tell_time_left(mover);
  for (std::string& command : take_untold()) before.push_back(std::move(command));
  const std::vector<std::string> asked{genmove_command(mover), "last_time"};
  std::vector<std::string> commands = before;
  commands.insert(commands.end(), asked.begin(), asked.end());
  std::vector<GtpAnswer> told = co_await watch(client().ask_all(commands, timeout));
  std::vector<GtpAnswer> answers(told.begin() + std::ssize(before), told.end());
  told.resize(before.size());
  const auto deadline =
      environment::AwakeClock::now() + std::min<std::chrono::milliseconds>(longest_wait, timeout);
  while (is_busy(answers.front()) && environment::AwakeClock::now() < deadline) {
    asio::steady_timer pause(co_await asio::this_coro::executor, time_to_wait);
    co_await pause.async_wait(asio::use_awaitable);
    answers = co_await watch(client().ask_all(asked, timeout));
  }
  hear(std::span(told).first(questions));
  expect_success(std::span(before).subspan(questions), std::span(told).subspan(questions));
  expect_success(std::span(asked).first(1), std::span(answers).first(1));
  hear_time(answers.back());
  is_due_ = true;
  co_return std::move(answers.front().text);
}

asio::awaitable<std::vector<MoveFigures>> PitbossEngine::figures() {
  const auto questions = is_open() ? take_questions() : std::vector<std::string>();
  if (!questions.empty()) hear(co_await watch(client().ask_all(questions, command_timeout)));
  co_return figures_;
}

asio::awaitable<std::optional<int>> PitbossEngine::workers() {
  const GtpAnswer answer = co_await watch(client().ask("workers", command_timeout));
  const auto number = whole_in(text_if_known("workers", answer).value_or(""));
  constexpr std::int64_t most = 1'000'000;
  const bool is_told = number && *number > 0 && *number <= most;
  co_return is_told ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

asio::awaitable<std::optional<ServerFacts>> PitbossEngine::about() {
  const std::string question = "about";
  const GtpAnswer answer = co_await watch(client().ask(question, command_timeout));
  const auto told = text_if_known(question, answer);
  if (!told) co_return std::nullopt;
  const auto json = object_in(*told);
  const auto text = [&](const char* key) {
    constexpr std::size_t most = 200;
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? printable(found->get<std::string>(), most)
                                                     : std::string();
  };
  co_return ServerFacts{text("build"), text("host"), text("processor"), text("boot"),
                        text("instance")};
}

/// Asks a server that is busy again, as long as a move would wait.
asio::awaitable<GtpAnswer> PitbossEngine::ask_patiently(std::string command) {
  const auto timeout = std::max<std::chrono::milliseconds>(patience(), 2 * time_for_signature);
  const auto deadline = environment::AwakeClock::now() + longest_wait;
  for (;;) {
    GtpAnswer answer = co_await watch(client().ask(command, timeout));
    if (!is_busy(answer) || environment::AwakeClock::now() > deadline) co_return answer;
    asio::steady_timer pause(co_await asio::this_coro::executor, time_to_wait);
    co_await pause.async_wait(asio::use_awaitable);
  }
}

asio::awaitable<std::string> PitbossEngine::signature(const Match& match) {
  set_up_for_.clear();
  std::string all;
  for (const auto& [simulations, options] : searches_of_signature) {
    const auto told = co_await figures_with(simulations, options, match);
    if (!told) co_return "";
    all += *told;
  }
  constexpr std::size_t digits = 16;
  co_return engine::sha256(all).substr(0, digits);
}

/// Moves, values, simulations and depths of the game that such searches play; not the times.
/// Nothing if the server has ended it, or a search of it, too early.
asio::awaitable<std::optional<std::string>> PitbossEngine::figures_with(
    std::string_view simulations, std::string_view options, const Match& match) {
  const auto duel = [&](int plies) {
    return "duel " + std::string(match.colours.size(), '2') + " " + std::to_string(plies) + " " +
           std::to_string(time_for_signature.count()) + " simulations=" + std::string(simulations) +
           " " + std::string(options);
  };
  const GtpAnswer begun = co_await ask_patiently(game_command(match));
  if (!begun.ok) co_return std::nullopt;
  const GtpAnswer played = co_await ask_patiently(duel(plies_of_signature));
  if (!played.ok) co_return std::nullopt;
  std::string_view lines = played.text;
  take_line(lines);
  const std::string_view moves = take_line(lines);
  const std::string_view values = take_line(lines);
  const std::string_view made = take_line(lines);
  for (const std::string& of_move : protocol::words_in(made)) {
    if (of_move != simulations) co_return std::nullopt;
  }
  if (protocol::words_in(moves).size() < plies_of_signature) {
    const GtpAnswer end = co_await ask_patiently(duel(1));
    if (!end.ok || end.text != no_more_moves) co_return std::nullopt;
  }
  std::string out;
  for (const std::string_view line : {moves, values, made, take_line(lines)}) {
    out.append(line).append("\n");
  }
  co_return out;
}

/// The questions about the last move, if it has not been asked for.
std::vector<std::string> PitbossEngine::take_questions() {
  std::vector<std::string> questions;
  if (!std::exchange(is_due_, false)) return questions;
  questions = {"last_value", "last_effort"};
  if (asks_for_models()) questions.emplace_back("evaluations");
  return questions;
}

void PitbossEngine::hear_time(const GtpAnswer& answer) {
  move_time_.reset();
  const auto seconds = answer.ok ? finite_in(answer.text) : std::nullopt;
  if (seconds && *seconds >= 0) move_time_ = std::chrono::duration<double>(*seconds);
}

/// Whether some of the questions about a move are which networks and features its search has used.
bool PitbossEngine::asks_for_models() const {
  return std::ranges::any_of(models_, [](const auto& model) { return model.second.are_used; });
}

/// Hears the answers to `take_questions`. A refusal tells nothing: of a move without a search, or
/// of an engine that does not know the command.
void PitbossEngine::hear(std::span<const GtpAnswer> answers) {
  if (answers.empty()) return;
  MoveFigures figures;
  if (answers[0].ok) figures.value = value_in(answers[0].text);
  std::string_view words = answers[1].ok ? answers[1].text : std::string_view();
  figures.effort = {whole_in(take_word(words)), whole_in(take_word(words)),
                    microseconds_in(take_word(words)), microseconds_in(take_word(words)),
                    proof_in(take_word(words)).has_value()};
  if (asks_for_models() && answers[2].ok) hear_models(answers[2].text);  // else those told before
  figures_.push_back(figures);
}

}  // namespace pitboss::clients
