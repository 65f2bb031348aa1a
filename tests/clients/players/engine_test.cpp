#include "clients/players/engine.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <exception>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "clients/experiments/time_control.hpp"
#include "games/random.hpp"
#include "tests/clients/run_task.hpp"
#include "tests/folders.hpp"
#include "tests/peers/peer.hpp"
#include "tests/timing.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using games::Colour;
using Kind = EngineFailure::Kind;
using peers::Manner;
using peers::Peer;

namespace {

Player program(Language language, const std::string& manner, const std::string& game) {
  Player player;
  player.name = "P";
  player.language = language;
  player.location = Program{{tests::bin_folder() + "/pitboss_scripted_engine",
                             std::string(name_of(language)), manner, game}};
  if (language == Language::uci) player.options = {{"nodes", "100"}};
  if (language == Language::gomocup) player.options = {{"timeout_turn", "100"}};
  if (language == Language::nboard) player.options = {{"depth", "3"}};
  return player;
}

Match match_of(const std::string& game) {
  Match match;
  set_game(match, game);
  return match;
}

/// Plays a game of the engine against itself by the rules, as the referee does.
asio::awaitable<void> play_game(Engine& engine, const Match& match, std::string& moves) {
  const auto position = match.initial_position();
  co_await engine.begin(match, 1);
  for (int ply = 0; !position->result().finished(); ++ply) {
    const Colour mover = position->to_move();
    std::string move;
    if (ply % 3 == 2) {
      move = position->legal_moves().back();
      co_await engine.play(mover, move);
    } else {
      move = position->canonical(co_await engine.genmove(mover, 20s));
    }
    position->play(move);
    moves += move + " ";
  }
}

asio::awaitable<void> play_games(Engine& engine, const Match& match, int games,
                                 const std::optional<MoveFigures>& told = std::nullopt) {
  co_await engine.open();
  CHECK(engine.is_open());
  co_await engine.examine(match);
  std::string first;
  for (int game = 0; game < games; ++game) {
    std::string moves;
    co_await play_game(engine, match, moves);
    if (game == 0) first = moves;
    CHECK(moves == first);
  }
  const auto figures = co_await engine.figures();
  CHECK(figures.empty() == !told);
  for (const MoveFigures& move : figures) CHECK(move == *told);
  engine.close();
  CHECK_FALSE(engine.is_open());
}

asio::awaitable<void> declare(Engine& engine, const Match& match, Declaration& declaration) {
  co_await engine.open();
  declaration = co_await engine.examine(match);
}

/// What becomes of an engine up to its first move.
struct Trial {
  std::string what;
  Kind kind = Kind::refused;
  bool is_open = false;
  std::string excerpt;
};

asio::awaitable<void> try_move(Engine& engine, const Match& match, Trial& trial,
                               std::chrono::milliseconds timeout) {
  try {
    co_await engine.open();
    co_await engine.examine(match);
    co_await engine.begin(match, 1);
    trial.what = "= " + co_await engine.genmove(Colour::black, timeout);
  } catch (const EngineFailure& failure) {
    trial.what = failure.what();
    trial.kind = failure.kind();
  }
  trial.is_open = engine.is_open();
  trial.excerpt = engine.excerpt();
}

Trial trial_of(const Player& player, const std::string& game = "connect4",
               std::chrono::milliseconds timeout = 20s) {
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  Trial trial;
  run(io, try_move(*engine, match_of(game), trial, timeout));
  CHECK(trial.excerpt.size() <= 4096);
  CHECK(std::ranges::all_of(trial.excerpt,
                            [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
  return trial;
}

/// How often an engine with the option k was told it for these games in turn, on one connection.
asio::awaitable<void> set_up_games(Engine& engine, std::vector<std::string> games, int& told) {
  co_await engine.open();
  for (const std::string& game : games) {
    const Match match = match_of(game);
    co_await engine.begin(match, 1);
  }
  const std::string lines = engine.excerpt();
  told = 0;
  for (std::size_t at = 0; (at = lines.find("> setoption name k ", at)) != std::string::npos;
       ++at) {
    ++told;
  }
  engine.close();
}

bool is_gone_soon(pid_t process) {
  return tests::eventually([&] { return ::kill(process, 0) != 0 && errno == ESRCH; });
}

}  // namespace

TEST_CASE("Engine: programs of both dialects play whole games") {
  struct Row {
    Language language;
    const char* game;
    const char* setup = nullptr;
  };
  const Row rows[] = {{Language::gtp, "othello size=6"},
                      {Language::gtp, "connect4"},
                      {Language::gtp, "amazons"},
                      {Language::gtp, "hex size=4", "komi 0"},
                      {Language::uci, "othello"},
                      {Language::uci, "connect4"},
                      {Language::uci, "breakthrough size=8"},
                      {Language::uci, "amazons"},
                      {Language::gomocup, "gomoku opening=free"},
                      {Language::gomocup, "gomoku size=19 opening=free line=exactly-five"},
                      {Language::nboard, "othello"}};
  for (const Row& row : rows) {
    CAPTURE(row.game);
    const Match match = match_of(row.game);
    asio::io_context io;
    Player player = program(row.language, "plays", match.game);
    if (row.setup != nullptr) player.setup = {row.setup};
    const auto engine = make_engine(io.get_executor(), player);
    std::optional<MoveFigures> told;
    if (row.language != Language::gtp) {
      told.emplace().effort.simulations = 34;
      if (row.language != Language::nboard) told->effort.depth = 1;
    }
    run(io, play_games(*engine, match, 2, told));
  }
}

namespace {

/// A manner of failing, and what it looks like in either language.
struct Failing {
  const char* manner;
  const char* gtp;
  const char* uci;
  Kind kind;
  const char* in_excerpt;
};

void check_failing(const Failing& row, Language language) {
  CAPTURE(row.manner);
  const bool is_uci = language == Language::uci;
  CAPTURE(is_uci);
  const auto timeout = row.kind == Kind::silent ? 200ms : 60s;
  const Trial trial = trial_of(program(language, row.manner, "connect4"), "connect4", timeout);
  CHECK(trial.what == (is_uci ? row.uci : row.gtp));
  CHECK(trial.kind == row.kind);
  CHECK_FALSE(trial.is_open);
  CAPTURE(trial.excerpt);
  CHECK(trial.excerpt.find(row.in_excerpt) != std::string::npos);
  const char* const asked = is_uci ? "> go nodes 100\n" : "> genmove b\n";
  const bool was_asked = trial.excerpt.find(asked) != std::string::npos;
  CHECK(was_asked == (std::string(row.manner) != "exits"));
}

}  // namespace

TEST_CASE("Engine: how programs fail") {
  const Failing rows[] = {
      {"exits", "connection closed", "connection closed", Kind::closed,
       "standard error:\nno weights file\n[exit code 3]\n"},
      {"crashes", "connection closed", "connection closed", Kind::closed,
       "standard error:\nassertion failed\n[signal 9 (Killed)]\n"},
      {"stalls", "no answer in 0.2 s", "no answer in 0.2 s", Kind::silent, ""},
      {"half-answers", "connection closed", "connection closed", Kind::closed, "< = d\n"},
      {"floods", "garbage: an answer without end", "garbage: an answer without end", Kind::garbage,
       "< aaaaaaaa"},
      {"floods-lines", "garbage: nonsense upon nonsense", "garbage: an answer without end",
       Kind::garbage, "< nonsense upon nonsense\n"},
  };
  for (const Failing& row : rows) {
    for (const Language language : {Language::gtp, Language::uci}) check_failing(row, language);
  }
}

TEST_CASE("Engine: standard error costs nothing") {
  for (const char* manner : {"writes-errors", "floods-errors"}) {
    CAPTURE(manner);
    const Trial trial = trial_of(program(Language::gtp, manner, "connect4"));
    CHECK(trial.what == "= a1");
    CHECK(trial.is_open);
    CHECK(trial.excerpt.find("standard error:\n") != std::string::npos);
  }
  const Trial trial = trial_of(program(Language::gtp, "writes-errors", "connect4"));
  CHECK(trial.excerpt.ends_with("< =13 A1\nstandard error:\nready\nplaying ? badly\n"));
}

TEST_CASE("Engine: nobody there, and a program that says nothing") {
  Player player = program(Language::gtp, "plays", "connect4");
  player.location = Program{{"no-such-engine"}};
  Trial trial = trial_of(player);
  CHECK(trial.what == "cannot start no-such-engine: no such file or directory");
  CHECK(trial.kind == Kind::unreachable);

  {
    const Peer peer;
    player.location = peer.address();
  }
  trial = trial_of(player);
  CHECK(trial.what == "Connection refused");
  CHECK(trial.kind == Kind::unreachable);

  trial = trial_of(program(Language::gtp, "speaks-gtp-1", "connect4"));
  CHECK(trial.what == "the engine does not speak GTP 2");
  CHECK_FALSE(trial.is_open);
}

TEST_CASE("Engine: programs are ended with all that they have started") {
  for (const char* manner : {"ignores-sigterm", "has-stubborn-child"}) {
    CAPTURE(manner);
    const Trial trial = trial_of(program(Language::gtp, manner, "connect4"), "connect4", 100ms);
    const std::size_t child = trial.excerpt.find("child ");
    CHECK((child != std::string::npos) == (manner == std::string("has-stubborn-child")));
    if (child != std::string::npos) CHECK(is_gone_soon(std::stoi(trial.excerpt.substr(child + 6))));
  }
}

TEST_CASE("PlainGtpEngine: what it refuses") {
  const auto what = [](const std::string& game) {
    return trial_of(program(Language::gtp, "plays", game.substr(0, game.find(' '))), game).what;
  };
  CHECK(what("rolit players=3") ==
        "an engine that speaks plain GTP cannot play rolit: it is not a game for two");
  CHECK(what("hex swap=on") == "= a1");
  CHECK(what("hex size=5") == "= a1");

  Player player = program(Language::gtp, "plays", "othello");
  player.setup = {"time_travel 3"};
  CHECK(trial_of(player, "othello").what == "refused: time_travel 3: cannot");
}

namespace {

asio::awaitable<void> answer_a_move(Engine& engine, const Match& match, std::string move,
                                    std::string& answer) {
  co_await engine.open();
  co_await engine.examine(match);
  co_await engine.begin(match, 1);
  co_await engine.play(Colour::black, std::move(move));
  answer = co_await engine.genmove(Colour::white, 20s);
}

}  // namespace

TEST_CASE("PlainGtpEngine: an engine that writes moves as HexGui does") {
  Player player = program(Language::gtp, "top+i+plays-last", "hex");
  player.dialect = protocol::Dialect::hexgui;
  const Match match = match_of("hex size=11");
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  std::string answer;
  run(io, answer_a_move(*engine, match, "j5", answer));
  CHECK(answer == "l9");
  const std::string lines = engine->excerpt();
  CAPTURE(lines);
  CHECK(lines.find("> play b i5\n") != std::string::npos);
  CHECK(lines.find(" K9\n") != std::string::npos);

  const auto another = make_engine(io.get_executor(), player);
  run(io, play_games(*another, match, 2));
}

TEST_CASE("Engine: start_timeout bounds the answers before the first game") {
  for (const Language language : {Language::gtp, Language::uci}) {
    Player player = program(language, "starts-slowly", "connect4");
    player.start_timeout = 100ms;
    const Trial late = trial_of(player);
    CHECK(late.kind == Kind::silent);
    CHECK(late.what == "no answer in 0.1 s; does it speak \"" + std::string(name_of(language)) +
                           "\", and in less than its start_timeout?");
    player.start_timeout = 10s;
    CHECK(trial_of(player).what.starts_with("= "));
  }
}

TEST_CASE("Engine: what a program of GTP says before its first answer is skipped") {
  Player player = program(Language::gtp, "plays", "connect4");
  std::string command;
  for (const std::string& word : std::get<Program>(player.location).command) command += " " + word;
  player.location = Program{{"sh", "-c", "echo Welcome; echo; echo 'to all'; exec" + command}};
  const Trial trial = trial_of(player);
  CHECK(trial.what == "= a1");
  CHECK(trial.excerpt.find("< Welcome\n") != std::string::npos);
}

TEST_CASE("Engine: another language than the player's is told") {
  Player player = program(Language::gtp, "plays", "connect4");
  player.location = Program{{"sh", "-c", "read line; echo 'Unknown command'; read line"}};
  CHECK(trial_of(player).what == "garbage: Unknown command; does it speak \"gtp\"?");
  player = program(Language::gtp, "plays", "connect4");
  player.language = Language::pitboss;
  CHECK(trial_of(player).what ==
        "does not know the command games: if it speaks plain GTP, say speaks=gtp");
}

TEST_CASE("PlainGtpEngine over TCP") {
  const Peer peer;  // speaks no plain GTP
  Player player;
  player.language = Language::gtp;
  player.location = peer.address();
  const Trial trial = trial_of(player);
  CHECK(trial.what == "refused: list_commands: unknown command");
  CHECK(trial.is_open);
  CHECK(trial.excerpt == "> protocol_version\n< =1 2\n> list_commands\n< ?2 unknown command\n");
}

TEST_CASE("UciEngine: what it refuses") {
  const auto what = [](const std::string& game, std::vector<engine::Assignment> options) {
    Player player = program(Language::uci, "plays", "connect4");
    player.options = std::move(options);
    return trial_of(player, game).what;
  };
  CHECK(what("othello size=6", {{"nodes", "1"}}) ==
        "UCI programs do not play othello size=6 (but breakthrough size=8, amazons size=10, "
        "connect4, othello size=8)");
  CHECK(what("connect4", {{"Hash", "16"}}) ==
        "a search needs a bound: give the option nodes, movetime or depth, or a tc");
  for (const char* bound : {"abc", "0", "-5", "1e3", ""}) {
    CHECK(what("connect4", {{"nodes", bound}}) ==
          "nodes takes a whole number of at least 1, not \"" + std::string(bound) + "\"");
  }
  const auto with = [&](const char* name, const char* value) {
    return what("connect4", {{"nodes", "1"}, {name, value}});
  };
  CHECK(with("Hush", "16") == "has no option Hush; did you mean 'Hash'?");
  CHECK(with("UCI_Variant", "ludo") ==
        "UCI_Variant takes one of chess, breakthrough, cfour, flipello, amazons, not \"ludo\"");
  CHECK(with("Hash", "99999") == "Hash takes a whole number from 1 to 64, not \"99999\"");
  CHECK(with("Hash", "abc") == "Hash takes a whole number from 1 to 64, not \"abc\"");
  CHECK(with("Use Book", "maybe") == "Use Book takes true or false, not \"maybe\"");
  CHECK(with("Style", "solid") == "Style takes one of Very Solid, Risky, not \"solid\"");
  CHECK(with("Clear Hash", "false") ==
        "Clear Hash takes no value but true, to be pressed, not \"false\"");
  CHECK(with("hash", "16") == "= a1");
}

TEST_CASE("UciEngine: values are sent as the engine declares them") {
  Player player = program(Language::uci, "plays", "connect4");
  player.options = {{"movetime", "5"},
                    {"use book", "TRUE"},
                    {"Clear Hash", "true"},
                    {"STYLE", "very solid"},
                    {"Book File", "my book.bin"}};
  const Trial trial = trial_of(player);
  CHECK(trial.what == "= a1");
  CHECK(trial.excerpt.find("> setoption name Use Book value true\n"
                           "> setoption name Clear Hash\n"
                           "> setoption name Style value Very Solid\n"
                           "> setoption name Book File value my book.bin\n") != std::string::npos);
}

namespace {

/// What an engine was told last, of so many lines.
std::string last_told(const Engine& engine, int lines) {
  std::istringstream excerpt(engine.excerpt());
  std::vector<std::string> told;
  for (std::string line; std::getline(excerpt, line);) {
    if (line.starts_with("> ")) told.push_back(line.substr(2));
  }
  std::string out;
  for (auto line = told.end() - lines; line != told.end(); ++line) out += *line + "\n";
  return out;
}

asio::awaitable<void> play_pondering(Engine& engine, const Match& match) {
  co_await engine.open();
  co_await engine.examine(match);
  co_await engine.begin(match, 1);
  CHECK(co_await engine.genmove(Colour::black, 20s) == "a1");
  CHECK(last_told(engine, 2) == "position startpos moves P@a1 P@a2\ngo ponder nodes 100\n");
  co_await engine.play(Colour::white, "a2");
  CHECK(co_await engine.genmove(Colour::black, 20s) == "a3");
  CHECK(last_told(engine, 3) ==
        "ponderhit\nposition startpos moves P@a1 P@a2 P@a3 P@a4\ngo ponder nodes 100\n");
  co_await engine.play(Colour::white, "b1");
  CHECK(co_await engine.genmove(Colour::black, 20s) == "a4");
  CHECK(last_told(engine, 6) ==
        "stop\nisready\nposition startpos moves P@a1 P@a2 P@a3 P@b1\ngo nodes 100\n"
        "position startpos moves P@a1 P@a2 P@a3 P@b1 P@a4 P@a5\ngo ponder nodes 100\n");
  co_await engine.finish();
  CHECK(last_told(engine, 2) == "stop\nisready\n");
  CHECK((co_await engine.figures()).size() == 3);
  co_await engine.begin(match, 1);
  CHECK(last_told(engine, 2) == "ucinewgame\nisready\n");
  CHECK(co_await engine.genmove(Colour::black, 20s) == "a1");
  co_await engine.begin(match, 1);  // a game that was broken off
  CHECK(last_told(engine, 4) == "stop\nisready\nucinewgame\nisready\n");
}

asio::awaitable<void> ponder_by_clock(Engine& engine, const Match& match) {
  co_await engine.open();
  co_await engine.examine(match);
  co_await engine.begin(match, 1);
  engine.tell_time(Colour::black, protocol::TimeLeft{60s});
  co_await engine.genmove(Colour::black, 20s);
  // The clock shows an increment more, less what the move took.
  const std::string told = last_told(engine, 1);
  CHECK(told.starts_with("go ponder wtime 6"));
  CHECK(told.ends_with(" winc 5000 binc 5000\n"));
  engine.close();
}

}  // namespace

TEST_CASE("UciEngine: an engine that says much while it ponders is listened to") {
  asio::io_context io;
  Player player = program(Language::uci, "ponders-aloud", "connect4");
  player.options.push_back({"Ponder", "true"});
  const auto engine = make_engine(io.get_executor(), player);
  const Match match = match_of("connect4");
  run(io, [](Engine& pondering, const Match& played) -> asio::awaitable<void> {
    co_await pondering.open();
    co_await pondering.examine(played);
    co_await pondering.begin(played, 1);
    for (const char* move : {"a2", "b1"}) {  // the reply that it expects, and another
      co_await pondering.genmove(Colour::black, 20s);
      asio::steady_timer pause(co_await asio::this_coro::executor);
      while (pondering.excerpt().find("has said all") == std::string::npos) {
        pause.expires_after(1ms);
        co_await pause.async_wait(asio::use_awaitable);
      }
      co_await pondering.play(Colour::white, move);
    }
    CHECK(co_await pondering.genmove(Colour::black, 20s) == "a4");
    co_await pondering.genmove(Colour::black, 20s);  // nobody has asked for its thoughts
    pondering.close();
  }(*engine, match));
}

TEST_CASE("UciEngine: ponders on the reply that the engine expects") {
  const Match match = match_of("connect4");
  MoveFigures told;
  told.effort.simulations = 34;
  told.effort.depth = 1;
  for (const char* manner : {"ponders", "ponders-briefly"}) {
    CAPTURE(manner);
    asio::io_context io;
    Player player = program(Language::uci, manner, "connect4");
    player.options.push_back({"ponder", "TRUE"});
    const auto engine = make_engine(io.get_executor(), player);
    run(io, play_pondering(*engine, match));
    run(io, play_games(*engine, match, 2, told));
    player.options = {{"Ponder", "true"}};
    player.clock = parse_time_control("60+5");
    const auto timed = make_engine(io.get_executor(), player);
    run(io, ponder_by_clock(*timed, match));
  }
  Player never = program(Language::uci, "plays", "connect4");
  never.options.push_back({"Ponder", "true"});
  CHECK(trial_of(never).what == "has no option Ponder");
}

TEST_CASE("GomocupEngine: what it refuses, and what it sends") {
  Player player = program(Language::gomocup, "plays", "gomoku");
  CHECK(trial_of(player, "othello").what ==
        "programs of Gomocup do not play othello size=8 (but gomoku)");
  CHECK(trial_of(player, "gomoku").what ==
        "programs of Gomocup know no opening rule: play gomoku with opening=free");
  const Trial trial = trial_of(player, "gomoku size=15 opening=free line=exactly-five");
  CHECK(trial.what == "= a1");
  CHECK(trial.excerpt.find("> START 15\n< OK - everything is good\n> INFO game_type 1\n"
                           "> INFO rule 1\n> INFO timeout_match 0\n> INFO timeout_turn 100\n"
                           "> BEGIN\n< MESSAGE depth 1 nodes 34\n< 0,0\n") != std::string::npos);

  Player other = program(Language::gomocup, "plays-on-20-only", "gomoku");
  CHECK(trial_of(other, "gomoku size=15 opening=free").what ==
        "answers START 15 by: ERROR unsupported size");
  player.options = {};
  CHECK(trial_of(player, "gomoku opening=free").what ==
        "a search needs a bound: give the option timeout_turn (milliseconds), or a tc");
  player.options = {{"timeout_turn", "-1"}};
  CHECK(trial_of(player, "gomoku opening=free").what ==
        "timeout_turn takes a whole number of at least 1, not \"-1\"");
}

namespace {

/// A brain that answers ABOUT as the protocol's own example does, then with these lines in turn.
Player brain(const std::string& answers) {
  Player player = program(Language::gomocup, "", "");
  player.location = Program{
      {"sh", "-c",
       "read line; echo 'name=\"SomeBrain\", version=\"1.0\", author=\"Nymand\", country=\"USA\"'\n"
       "answer() { while read -r line; do case $line in INFO*) ;; *) printf \"$1\\n\"; return;; "
       "esac; done; }\n" +
           answers + "\nread line"}};
  return player;
}

}  // namespace

TEST_CASE("GomocupEngine: a program's lines") {
  const auto what = [](const std::string& answers) {
    return trial_of(brain(answers), "gomoku size=15 opening=free").what;
  };
  // set up twice, for the examination and the game
  CHECK(what("answer OK; answer OK; answer 7,7") == "= h8");
  CHECK(what("answer 'OK'; answer OK; answer '\\r\\nMESSAGE found it\\r\\nDEBUG x\\r\\n 7 , 14 "
             "\\r'") == "= h15");
  CHECK(what("answer OK; answer OK; answer 15,0") == "= 15,0");
  CHECK(what("answer OK; answer OK; answer 'no idea'") == "= no idea");
  CHECK(what("answer OK; answer OK; answer 'ERROR - out of memory'") ==
        "answers BEGIN by: ERROR - out of memory");
  CHECK(what("answer 'UNKNOWN - what?'") == "answers START 15 by: UNKNOWN - what?");
  Player player = program(Language::gomocup, "", "");
  player.location = Program{{"sh", "-c", "read line; echo 'name?'; read line"}};
  CHECK(trial_of(player, "gomoku opening=free").what ==
        "garbage: no name answers ABOUT; does it speak \"gomocup\"?");
}

TEST_CASE("NBoardEngine: what it refuses, and a program's lines") {
  Player player = program(Language::nboard, "plays", "othello");
  CHECK(trial_of(player, "othello size=6").what ==
        "programs of NBoard do not play othello size=6 (but othello size=8)");
  player.options = {};
  CHECK(trial_of(player, "othello").what ==
        "a search needs a bound: give the option depth (plies)");
  // The first moves of othello are D3, C4, F5 and E6 in its usual notation.
  const auto what = [&](const std::string& answer) {
    Player engine = program(Language::nboard, "", "");
    engine.location =
        Program{{"sh", "-c",
                 "while read -r command value; do case $command in ping) echo \"pong $value\";; "
                 "go) echo '" +
                     answer + "';; esac; done"}};
    return trial_of(engine, "othello").what;
  };
  for (const char* answer : {"=== D3", "=== d3 -1.00 0.0", "=== D3/1.25/0.5", "===  D3//0.1"}) {
    CAPTURE(answer);
    CHECK(what(answer) == "= d6");
  }
  for (const char* pass : {"=== PA", "=== ps 0.00 0.0", "=== pass", "=== --"}) {
    CHECK(what(pass) == "= pass");
  }
}

TEST_CASE("PitbossEngine") {
  Player player;
  player.options = {{"k", "0.5"}};
  {
    const Peer peer;
    player.location = peer.address();
    asio::io_context io;
    const auto engine = make_engine(io.get_executor(), player);
    // It knows none of the questions about a move.
    run(io, play_games(*engine, match_of("connect4"), 2, MoveFigures{}));
    run(io, play_games(*engine, match_of("rolit players=4"), 1, MoveFigures{}));
  }
  const Peer ignorant({.has_game = false});
  player.location = ignorant.address();
  CHECK(trial_of(player).what == "Peer does not have the game connect4");
  const Peer stubborn({.manner = Manner::refuses_options});
  player.location = stubborn.address();
  CHECK(trial_of(player).what == "refused: setoption name k value 0.5: not here");
}

TEST_CASE("Engine: what engines say of themselves") {
  const auto declaration = [](const Player& player) {
    asio::io_context io;
    const auto engine = make_engine(io.get_executor(), player);
    Declaration out;
    run(io, declare(*engine, match_of("connect4"), out));
    return out;
  };
  const auto of_peer = [&](const std::string& version, const std::string& params) {
    const Peer peer({.version = version, .params = params});
    return declaration({"A", Language::pitboss, peer.address(), {}, {}});
  };
  CHECK(of_peer("1.2", R"({"k":0.5,"seed":1,"novelty":"none","solver":true})") ==
        Declaration{"Peer 1.2", {{"k", "0.5"}, {"novelty", "none"}, {"solver", "true"}}});
  const auto deep = R"({"x":)" + std::string(200'000, '[') + std::string(200'000, ']') + "}";
  CHECK(of_peer("", deep) == Declaration{"Peer", {}});
  CHECK(declaration(program(Language::gtp, "plays", "connect4")) == Declaration{});
  Player uci = program(Language::uci, "plays", "connect4");
  Declaration scripted{
      "Scripted",
      {{"Hash", "16"}, {"Use Book", "false"}, {"Style", "Very Solid"}, {"Book File", "<empty>"}}};
  CHECK(declaration(uci) == scripted);
  uci.options.push_back({"hash", "32"});
  scripted.options.erase("Hash");
  CHECK(declaration(uci) == scripted);
}

TEST_CASE("PitbossEngine: options that an engine has are not told again") {
  const Peer peer;
  Player player;
  player.location = peer.address();
  player.options = {{"k", "0.5"}};
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  const auto times_told = [&](const std::vector<std::string>& games) {
    int told = 0;
    run(io, set_up_games(*engine, games, told));
    return told;
  };
  CHECK(times_told({"connect4", "connect4", "connect4"}) == 1);
  CHECK(times_told({"connect4"}) == 1);  // a new connection
  // Another game may not take them.
  CHECK(times_told({"connect4", "hex", "hex size=5", "hex size=5", "connect4"}) == 4);
}

}  // namespace pitboss::clients
