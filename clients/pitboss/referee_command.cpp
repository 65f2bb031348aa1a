#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <iostream>
#include <map>
#include <set>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/sprt_settings.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/expect_experiment.hpp"
#include "clients/pitboss/play_experiment.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/setting_flags.hpp"
#include "clients/referee/examine_engines.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/results/dry_run.hpp"
#include "clients/results/record_files.hpp"
#include "environment/machine.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr std::string_view referee_usage =
    "Plays matches between engines and records them. At a game for three or four two players "
    "share\n"
    "the seats in every way. The same command with the same --out continues what was interrupted.\n"
    "See docs/referee.md.\n\n"
    "  pitboss referee --server 127.0.0.1:4580 --game connect4 --games 100 --seed 1\n"
    "    --player \"name=A preset=reference novelty=pseudocount simulations=1000\"\n"
    "    --player \"name=B preset=reference simulations=1000\" --out match\n"
    "  pitboss referee --experiment data/experiments/connect4-quick.toml --out match\n\n";

struct RefereeFlags {
  std::string experiment;
  std::vector<std::string> servers;
  AccessFlags access;
  std::vector<std::string> games;
  std::vector<std::string> game_parameters;
  std::vector<std::string> players;
  std::int64_t games_a_pairing = 0;
  std::string openings;
  std::string sprt;
  std::string out;
  std::string ledger;
  std::string join;
  std::vector<std::string> programs;
  int processors = 0;
  bool is_dry_run = false;
  bool is_plan = false;
  bool has_no_records = false;
};

po::options_description describe(RefereeFlags& a) {
  po::options_description all("Options", 100, 50);
  const auto many = [](std::vector<std::string>& values) {
    return po::value(&values)->composing();
  };
  auto add = all.add_options();
  add("experiment", po::value(&a.experiment)->value_name("FILE"),
      "a file that says all below but --out; --token-file and --ca-file, for servers of which it "
      "says neither, --ledger, --concurrency and --reconnect-seconds may still be given");
  add("server", many(a.servers)->value_name("HOST:PORT"),
      "a server, tls://HOST:PORT if it speaks TLS; repeatable: players take the servers in turn");
  a.access.add_to(all);
  add("game", many(a.games)->value_name("NAME"),
      "the game, perhaps with parameters: \"gomoku size=9\"; repeatable");
  add("game-param", many(a.game_parameters)->value_name("KEY=VALUE"), "a parameter of the game");
  add("player", many(a.players)->value_name("STRING"),
      "\"name=A key=value ...\": options of the search, server=HOST:PORT or server=NUMBER (of "
      "--server, from 0) to sit elsewhere, and tc=10+0.1 for a clock; or \"name=B program='gnugo "
      "--mode gtp' speaks=gtp\" (docs/players.md); at least two: each plays each");
  add("games", po::value(&a.games_a_pairing)->value_name("N"),
      "how many in each pairing; each opening is played with every seating of the two players, so "
      "a multiple of 2, or of 6 and 14 in a game for three and four");
  add("openings", po::value(&a.openings)->value_name("KIND"),
      "random:P, P random moves of each side (default: random:1); all:P, every opening of that "
      "length; book:NAME, a book that comes with Pitboss; file:PATH, one a line; or none");
  add_flags(all, match_rows, Match());
  add("sprt", po::value(&a.sprt)->value_name("STRING"),
      "ends a match when it is decided: \"elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized\"");
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the records");
  add("ledger", po::value(&a.ledger)->value_name("URL"),
      "postgresql://USER@HOST:PORT/DATABASE, perhaps with #NAME: a database for the ledger, "
      "which is in --out otherwise; the name is the experiment's, or that of --out");
  add("join", po::value(&a.join)->value_name("NAME"),
      "the experiment of this name in --ledger, whatever it plays: this referee and those that "
      "play it already share the rounds; players sit at --server as above");
  add("allow-program", po::value(&a.programs)->composing()->value_name("COMMAND"),
      "with --join: a program that may be started, the whole command as the experiment has it; "
      "repeatable");
  add_flags(all, run_rows, ExperimentFile());
  add("processors", po::value(&a.processors)->default_value(0)->value_name("N"),
      "processors of this machine for programs whose searches time bounds; 0: all");
  add("dry-run", po::bool_switch(&a.is_dry_run),
      "only say what would be played and how long it may take");
  add("plan", po::bool_switch(&a.is_plan),
      "only print the matches, a line of JSON each: configuration, games and rules");
  add("help", "this text");
  return all;
}

/// What `pitboss launch` tells its workers' referees.
po::options_description unlisted(RefereeFlags& a) {
  po::options_description out;
  out.add_options()("no-records", po::bool_switch(&a.has_no_records), "");
  return out;
}

/// What the flags say of the matches, as an experiment file would have it.
Setting matches_in(const RefereeFlags& a, const std::vector<Address>& servers,
                   const po::variables_map& given) {
  require(!a.games.empty() || a.game_parameters.empty(), "--game-param is for --game");
  Setting::List games;
  for (const std::string& game : a.games) {
    Match match;
    set_game(match, game, a.game_parameters);
    games.push_back(Setting::of_command_line("game", rules_text(match)));
  }
  Setting::List players;
  for (const std::string& words : a.players) players.push_back(parse_player_words(words, servers));
  Setting::Table out;
  const auto add = [&](const char* flag, Setting::Value value) {
    if (given.contains(flag)) out.push_back(Setting::of_command_line(flag, std::move(value)));
  };
  add("game", std::move(games));
  add("player", std::move(players));
  add("games", a.games_a_pairing);
  add("openings", a.openings);
  if (given.contains("sprt")) out.push_back(sprt_words(a.sprt));
  for (const auto& row : match_rows) {
    if (auto value = given_setting(given, row)) out.push_back(std::move(*value));
  }
  return Setting::of_command_line("", std::move(out));
}

/// Refuses flags that repeat what an experiment file or a ledger says.
void expect_none(const Setting& matches, const std::string& why) {
  if (matches.table().empty()) return;
  const std::string flag = flag_name(matches.table().front().key());
  throw UserError("--" + flag + " cannot be combined with " + why);
}

/// The experiment that --join names, its players at --server.
Experiment experiment_to_join(const RefereeFlags& a, const std::vector<Address>& servers) {
  const LedgerPlace place = parse_place(a.ledger);
  const auto* database = std::get_if<DatabasePlace>(&place);
  require(database != nullptr && a.ledger.find('#') == std::string::npos,
          "--join needs --ledger postgresql://USER@HOST:PORT/DATABASE, without #NAME");
  expect_experiment(*database, a.join);
  Experiment experiment = read_experiment(DatabasePlace(database->url(), a.join));
  std::map<std::string, Address> seats;
  for (const Player* player : players_of(experiment)) {
    if (!std::holds_alternative<Address>(player->location)) continue;
    require(!servers.empty(), "--server is missing, where " + player->name + " sits");
    seats[player->name] = servers[seats.size() % servers.size()];
  }
  require(!seats.empty() || servers.empty(), "no player is at a --server");
  for (Match& match : experiment.matches) {
    for (Player& player : match.players) {
      const auto seat = seats.find(player.name);
      if (seat != seats.end()) player.location = seat->second;
    }
  }
  return experiment;
}

std::set<std::string> allowed_programs(const RefereeFlags& a) {
  std::set<std::string> out;
  for (const std::string& command : a.programs) out.insert(text_of(Program{shell_words(command)}));
  return out;
}

/// The experiment that the flags alone describe.
ExperimentFile read_matches(const Setting& matches, const std::vector<Address>& servers) {
  for (const std::string flag : {"game", "player", "games"}) {
    require(matches.find(flag) != nullptr, "--" + flag + " is missing, or --experiment");
  }
  std::vector<ServerCapacity> places;
  for (const Address& server : servers) places.push_back({server});
  return experiment_file_of(matches, places);
}

ExperimentFile file_of(const RefereeFlags& a, const po::variables_map& given) {
  require(a.programs.empty() || !a.join.empty(), "--allow-program is for --join");
  std::vector<Address> servers;
  for (const std::string& text : a.servers) servers.push_back(parse_address(text));
  const Setting matches = matches_in(a, servers, given);
  ExperimentFile file;
  if (!a.join.empty()) {
    require(a.experiment.empty(), "--experiment cannot be combined with --join");
    expect_none(matches, "--join: the ledger says it");
    file.experiment = experiment_to_join(a, servers);
    for (const Player* player : players_of(file.experiment)) {
      if (a.is_dry_run) expect_allowed(*player, allowed_programs(a));
    }
  } else if (a.experiment.empty()) {
    file = read_matches(matches, servers);
  } else {
    const std::string why = "--experiment; set it in the file";
    require(servers.empty(), "--server cannot be combined with " + why);
    expect_none(matches, why);
    file = read_experiment_file(a.experiment);
  }
  read_given(given, run_rows, file);
  use_access(file.experiment, a.access.read());
  if (!a.out.empty()) file.folder = a.out;
  return file;
}

/// Throws UserError if the folder has records of something else than the database's ledger.
void check_folder(const std::filesystem::path& folder, const DatabasePlace& database) {
  std::string other;
  if (std::filesystem::exists(ledger_path(folder))) {
    other = "a ledger of its own";
  } else if (std::filesystem::exists(folder / address_file)) {
    std::string address = read_text_file(folder / address_file);
    if (address.ends_with('\n')) address.pop_back();
    if (address != database.address()) other = "the records of " + address;
  } else if (std::filesystem::exists(folder / "games.csv")) {
    other = "games.csv of another run";
  }
  require(other.empty(), folder.string() + " holds " + other + "; choose another --out");
}

/// The place that --ledger names.
DatabasePlace database_of(const std::string& ledger, const ExperimentFile& file) {
  const LedgerPlace place = parse_place(ledger);
  const auto* database = std::get_if<DatabasePlace>(&place);
  require(database != nullptr,
          "--ledger: expected postgresql://USER@HOST:PORT/DATABASE; a folder is given by --out");
  if (database->is_named()) return *database;
  return DatabasePlace(database->url(), name_of(file.experiment.name, file.folder));
}

int play(const ExperimentFile& file, const RefereeFlags& a) {
  require(!file.folder.empty(), "--out must name a folder");
  Conduct conduct = conduct_of(file);
  conduct.processors = a.processors;
  conduct.wants_games = !a.has_no_records;
  if (!a.join.empty()) conduct.programs = allowed_programs(a);
  if (!a.ledger.empty()) {
    const std::string experiment = a.join.empty() ? "" : "#" + a.join;
    conduct.database = database_of(a.ledger + experiment, file);
    check_folder(conduct.folder, *conduct.database);
  }
  const std::optional<RunEnd> end = run_with_display(file.experiment, conduct);
  return end ? conclude_run(conduct, *end).exit_code : exit_stopped;
}

}  // namespace

int referee(const std::vector<std::string>& arguments) {
  RefereeFlags values;
  const po::options_description options = describe(values);
  const auto given =
      read_flags("referee", referee_usage, options, arguments, nullptr, unlisted(values));
  if (!given) return exit_complete;
  require(values.processors >= 0 && values.processors <= 65536, "--processors must be 0 to 65536");
  const ExperimentFile file = file_of(values, *given);
  if (values.is_plan) {
    std::cout << plan_json(file.experiment);
    return exit_complete;
  }
  for (const std::string& remark : remarks_on(file.experiment)) {
    std::cerr << "note: " << remark << "\n";
  }
  if (!values.is_dry_run) return play(file, values);
  const std::string load = load_text(environment::load(), environment::processors());
  std::cout << plan_text(file, measure_costs(file.experiment, make_engine)) << load;
  return exit_complete;
}

}  // namespace pitboss::clients
