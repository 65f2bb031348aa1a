#include "clients/referee/referee.hpp"

#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>

#include "clients/read_arguments.hpp"
#include "clients/referee/match.hpp"
#include "clients/referee/progress.hpp"
#include "clients/referee/run_match.hpp"
#include "clients/referee/summary.hpp"
#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr int exit_complete = 0;
constexpr int exit_stopped = 1;
constexpr int exit_interrupted = 130;

constexpr std::string_view usage =
    "Plays a match between two engines and records it. At a game for three or four they share the\n"
    "seats in every way. The same command with the same --out continues a match that was\n"
    "interrupted. See docs/referee.md.\n\n"
    "  pitboss referee --server 127.0.0.1:4580 --game connect4 --games 100 --seed 1\n"
    "    --player \"name=A preset=reference novelty=pseudocount simulations=1000\"\n"
    "    --player \"name=B preset=reference simulations=1000\" --out match\n\n";

struct Arguments {
  std::vector<std::string> servers;
  std::string game;
  std::vector<std::string> game_parameters;
  std::vector<std::string> players;
  int games = 0;
  std::string openings;
  std::int64_t seed = 1;
  std::string out;
  int concurrency = 8;
  double move_timeout = 300;
  double reconnect = 10;
  int max_plies = 0;
};

po::options_description describe(Arguments& a) {
  po::options_description all("Options", 100, 50);
  const auto many = [](std::vector<std::string>& values) {
    return po::value(&values)->composing();
  };
  auto add = all.add_options();
  add("server", many(a.servers)->required()->value_name("HOST:PORT"),
      "a server; repeatable: the first player sits at the first, the second at the second");
  add("game", po::value(&a.game)->required()->value_name("NAME"),
      "the game, perhaps with parameters: \"gomoku size=9\"");
  add("game-param", many(a.game_parameters)->value_name("KEY=VALUE"), "a parameter of the game");
  add("player", many(a.players)->required()->value_name("STRING"),
      "exactly two, \"name=A key=value ...\": options of the search, and server=HOST:PORT or "
      "server=NUMBER (of --server, from 0) to sit elsewhere");
  add("games", po::value(&a.games)->required()->value_name("N"),
      "how many; each opening is played with every seating of the two players, so a multiple of 2, "
      "or of 6 and 14 in a game for three and four");
  add("openings", po::value(&a.openings)->default_value("random:1")->value_name("KIND"),
      "random:P, P random moves of each side; all:P, all such openings one after the other; "
      "file:PATH, one opening a line; or none");
  add("seed", po::value(&a.seed)->default_value(1)->value_name("S"),
      "of the match: openings and engines' seeds come from it");
  add("out", po::value(&a.out)->required()->value_name("DIR"), "folder for the records");
  add("concurrency", po::value(&a.concurrency)->default_value(8)->value_name("C"),
      "games at once (two connections each)");
  add("move-timeout", po::value(&a.move_timeout)->default_value(300, "300")->value_name("SECONDS"),
      "an engine silent for longer loses the game");
  add("max-plies", po::value(&a.max_plies)->default_value(0)->value_name("N"),
      "a game of N plies is a draw; 0: no limit");
  add("reconnect-seconds", po::value(&a.reconnect)->default_value(10, "10")->value_name("SECONDS"),
      "how long to try to reach a server again");
  add("help", "this text");
  return all;
}

std::chrono::milliseconds duration(const char* option, double seconds) {
  if (!(seconds > 0 && seconds <= 1e7)) {
    throw UserError(std::string("--") + option + " must be more than 0 and at most 1e7 seconds");
  }
  return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(1000 * seconds)));
}

void expect(bool holds, const char* what) {
  if (!holds) throw UserError(what);
}

void expect_whole_rounds(const Match& match, int games) {
  const int round = match.round();
  if (games >= round && games % round == 0) return;
  throw UserError("--games must be a multiple of " + std::to_string(round) +
                  ": each opening is played with every seating of the two players at the " +
                  std::to_string(match.colours.size()) + " colours");
}

Match match_of(const Arguments& a) {
  expect(a.max_plies >= 0, "--max-plies must not be negative");
  expect(a.seed >= 0, "--seed must not be negative");
  expect(a.players.size() == 2, "a match is between exactly two --player");
  std::vector<Address> servers;
  for (const std::string& text : a.servers) servers.push_back(parse_address(text));

  Match match;
  set_game(match, a.game, a.game_parameters);
  for (const int i : {0, 1}) match.players[i] = parse_player(a.players[i], servers, i);
  expect(match.players[0].name != match.players[1].name, "the players need different names");
  expect_whole_rounds(match, a.games);
  match.openings = parse_openings(a.openings, *match.initial_position());
  match.seed = a.seed;
  match.games = a.games;
  match.max_plies = a.max_plies;
  match.move_timeout = duration("move-timeout", a.move_timeout);
  const std::size_t opening_plies = opening_of(match, 0).size();
  expect(match.max_plies == 0 || opening_plies < static_cast<std::size_t>(match.max_plies),
         "--max-plies leaves nothing to play after the opening");
  return match;
}

MatchConduct conduct_of(const Arguments& a) {
  expect(a.concurrency >= 1 && a.concurrency <= 1000, "--concurrency must be 1 to 1000");
  expect(!a.out.empty(), "--out must name a folder");
  MatchConduct conduct;
  conduct.folder = a.out;
  conduct.concurrency = a.concurrency;
  conduct.reconnect = duration("reconnect-seconds", a.reconnect);
  conduct.handles_signals = true;
  return conduct;
}

int play(const Match& match, MatchConduct conduct) {
  Progress progress(match.games);
  conduct.on_progress = [&](const Standings& standings) { progress.update(standings); };
  conduct.on_note = [&](const std::string& text) { progress.note(text); };
  const MatchEnd end = run_match(match, conduct);
  progress.finish();

  std::cout << summary_table(match, end.standings) << "records    "
            << (conduct.folder / "games.csv").string() << ", "
            << (conduct.folder / "summary.json").string() << std::endl;
  switch (end.kind) {
    case MatchEnd::Kind::complete:
      return exit_complete;
    case MatchEnd::Kind::interrupted:
      std::cerr << "interrupted; the same command continues the match\n";
      return exit_interrupted;
    case MatchEnd::Kind::stopped:
      std::cerr << "stopped: " << end.why << "; the same command continues the match\n";
      break;
  }
  return exit_stopped;
}

}  // namespace

int referee(const std::vector<std::string>& arguments) {
  Arguments values;
  const po::options_description options = describe(values);
  const auto map = read_arguments("referee", usage, options, arguments);
  if (!map) return exit_complete;
  return play(match_of(values), conduct_of(values));
}

}  // namespace pitboss::clients
