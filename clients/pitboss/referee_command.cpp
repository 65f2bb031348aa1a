#include "clients/pitboss/commands.hpp"

#include <boost/program_options.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <map>
#include <set>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/number_in.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/expect_experiment.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/report/dry_run.hpp"
#include "clients/report/progress_display.hpp"
#include "clients/report/record_files.hpp"
#include "clients/report/summary.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr int exit_complete = 0;

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
  int games_a_pairing = 0;
  bool has_games = false;
  std::string openings;
  std::int64_t seed = 1;
  std::string sprt;
  bool has_sprt = false;
  std::string out;
  std::string ledger;
  std::string join;
  int concurrency = 8;
  int processors = 0;
  double move_timeout = 300;
  double time_margin = 0.05;
  double reconnect = 10;
  int max_plies = 0;
  bool is_dry_run = false;
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
      "a server, tls://HOST:PORT if it speaks TLS; repeatable: the first player sits at the first, "
      "the second at the second, and so on around");
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
  add("openings", po::value(&a.openings)->default_value("random:1")->value_name("KIND"),
      "random:P, P random moves of each side; all:P, every opening of that length; file:PATH, one "
      "a line; or none");
  add("seed", po::value(&a.seed)->default_value(1)->value_name("S"),
      "of the experiment: openings and engines' seeds come from it");
  add("sprt", po::value(&a.sprt)->value_name("STRING"),
      "ends a match when it is decided: \"elo0=0 elo1=10 alpha=0.05 beta=0.05 model=normalized\"");
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the records");
  add("ledger", po::value(&a.ledger)->value_name("URL"),
      "postgresql://USER@HOST:PORT/DATABASE, perhaps with #NAME: a database for the ledger, "
      "which is in --out otherwise; the name is the experiment's, or that of --out");
  add("join", po::value(&a.join)->value_name("NAME"),
      "the experiment of this name in --ledger, whatever it plays: this referee and those that "
      "play it already share the rounds; players sit at --server as above");
  add("concurrency", po::value(&a.concurrency)->default_value(8)->value_name("C"),
      "games at once (two connections each)");
  add("processors", po::value(&a.processors)->default_value(0)->value_name("N"),
      "processors of this machine for programs whose searches time bounds; 0: all");
  add("move-timeout", po::value(&a.move_timeout)->default_value(300, "300")->value_name("SECONDS"),
      "an engine without a clock (tc) that is silent for longer loses the game");
  add("time-margin", po::value(&a.time_margin)->default_value(0.05, "0.05")->value_name("SECONDS"),
      "by how much a move may exceed the player's clock");
  add("max-plies", po::value(&a.max_plies)->default_value(0)->value_name("N"),
      "a game of N plies is a draw; 0: no limit");
  add("reconnect-seconds", po::value(&a.reconnect)->default_value(10, "10")->value_name("SECONDS"),
      "how long to look for a server that went away");
  add("dry-run", po::bool_switch(&a.is_dry_run),
      "only say what would be played and how long it may take");
  add("help", "this text");
  return all;
}

/// What `pitboss launch` tells its workers' referees.
po::options_description unlisted(RefereeFlags& a) {
  po::options_description out;
  out.add_options()("no-records", po::bool_switch(&a.has_no_records), "");
  return out;
}

std::chrono::milliseconds duration(const char* option, double seconds) {
  if (!(seconds > 0 && seconds <= 1e7)) {
    throw UserError(std::string("--") + option + " must be more than 0 and at most 1e7 seconds");
  }
  return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(1000 * seconds)));
}

double number_of(const std::string& text) {
  const auto value = number_in<double>(text);
  require(value.has_value(), "--sprt: \"" + text + "\" is not a number");
  return *value;
}

/// Reads "elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic".
SprtPlan sprt_of(const std::string& text) {
  SprtPlan plan;
  try {
    const games::Parameters given = games::parse_parameters(text);
    require(given.has("elo0") && given.has("elo1"), "--sprt needs elo0 and elo1");
    for (const auto& [name, value] : given.values()) {
      if (name == "model") {
        const auto model = elo_model_named(value);
        require(model && *model != EloModel::bayesian,
                "--sprt: the model is normalized or logistic");
        plan.model = *model;
        continue;
      }
      double* const number = name == "elo0"    ? &plan.elo0
                             : name == "elo1"  ? &plan.elo1
                             : name == "alpha" ? &plan.alpha
                             : name == "beta"  ? &plan.beta
                                               : nullptr;
      require(number != nullptr, "--sprt has no " + name);
      *number = number_of(value);
    }
  } catch (const games::BadGame& e) {
    throw UserError("--sprt: " + std::string(e.what()));
  }
  return plan;
}

std::vector<Player> players_of(const RefereeFlags& a) {
  std::vector<Address> servers;
  for (const std::string& text : a.servers) servers.push_back(parse_address(text));
  std::vector<Player> players;
  std::set<std::string> names;
  std::size_t at_servers = 0;
  for (const std::string& text : a.players) {
    players.push_back(parse_player(text, servers, at_servers));
    if (std::holds_alternative<Address>(players.back().location)) ++at_servers;
    require(names.insert(players.back().name).second, "the players need different names");
  }
  require(at_servers > 0 || servers.empty(), "no player is at a --server");
  return players;
}

/// A match at a game, still without its two players.
Match match_at(const RefereeFlags& a, const std::string& game) {
  Match match;
  set_game(match, game, a.game_parameters);
  const int round = match.round();
  require(a.has_games, "--games is missing");
  require(a.games_a_pairing >= round && a.games_a_pairing % round == 0,
          "--games must be a multiple of " + std::to_string(round) +
              ": each opening is played with every seating of the two players at the " +
              std::to_string(match.colours.size()) + " colours");
  match.games = a.games_a_pairing;
  match.openings = parse_openings(a.openings, *match.initial_position());
  match.seed = a.seed;
  match.max_plies = a.max_plies;
  match.move_timeout = duration("move-timeout", a.move_timeout);
  match.time_margin = std::chrono::milliseconds(std::llround(1000 * a.time_margin));
  const std::size_t opening_plies = opening_of(match, 0).size();
  require(match.max_plies == 0 || opening_plies < static_cast<std::size_t>(match.max_plies),
          "--max-plies leaves nothing to play after the opening");
  return match;
}

Experiment experiment_of(const RefereeFlags& a) {
  require(!a.games.empty(), "--game is missing, or --experiment");
  require(a.max_plies >= 0, "--max-plies must not be negative");
  require(a.seed >= 0, "--seed must not be negative");
  require(a.time_margin >= 0 && a.time_margin <= 60, "--time-margin must be 0 to 60 seconds");
  const std::vector<Player> players = players_of(a);
  require(players.size() >= 2, "a match is between at least two --player");
  Experiment experiment;
  for (const std::string& game : a.games) {
    Match match = match_at(a, game);
    for (std::size_t second = 1; second < players.size(); ++second) {
      for (std::size_t first = 0; first < second; ++first) {
        match.players = {players[first], players[second]};
        experiment.matches.push_back(match);
      }
    }
  }
  if (a.has_sprt) {
    experiment.sprt = sprt_of(a.sprt);
    for (const Match& match : experiment.matches) check(*experiment.sprt, match.round());
  }
  return experiment;
}

/// Refuses flags that repeat what an experiment file or a ledger says.
void expect_no_other(const po::variables_map& given, const std::string& why) {
  for (const char* name : {"game", "game-param", "player", "games", "openings", "seed", "sprt",
                           "move-timeout", "time-margin", "max-plies"}) {
    require(!given.contains(name) || given[name].defaulted(),
            std::string("--") + name + " cannot be combined with " + why);
  }
}

/// The experiment that --join names, its players at --server.
Experiment experiment_to_join(const RefereeFlags& a) {
  const LedgerPlace place = parse_place(a.ledger);
  const auto* database = std::get_if<DatabasePlace>(&place);
  require(database != nullptr && a.ledger.find('#') == std::string::npos,
          "--join needs --ledger postgresql://USER@HOST:PORT/DATABASE, without #NAME");
  expect_experiment(*database, a.join);
  Experiment experiment = read_experiment(DatabasePlace(database->url(), a.join));
  std::map<std::string, Address> seats;
  for (const Player* player : players_of(experiment)) {
    if (!std::holds_alternative<Address>(player->location)) continue;
    require(!a.servers.empty(), "--server is missing, where " + player->name + " sits");
    seats[player->name] = parse_address(a.servers[seats.size() % a.servers.size()]);
  }
  require(!seats.empty() || a.servers.empty(), "no player is at a --server");
  for (Match& match : experiment.matches) {
    for (Player& player : match.players) {
      const auto seat = seats.find(player.name);
      if (seat != seats.end()) player.location = seat->second;
    }
  }
  return experiment;
}

ExperimentFile file_of(RefereeFlags a, const po::variables_map& given) {
  a.has_sprt = given.contains("sprt");
  a.has_games = given.contains("games");
  ExperimentFile file;
  if (!a.join.empty()) {
    require(a.experiment.empty(), "--experiment cannot be combined with --join");
    expect_no_other(given, "--join: the ledger says it");
    file.experiment = experiment_to_join(a);
  } else if (a.experiment.empty()) {
    file.experiment = experiment_of(a);
  } else {
    const std::string why = "--experiment; set it in the file";
    require(a.servers.empty(), "--server cannot be combined with " + why);
    expect_no_other(given, why);
    file = read_experiment_file(a.experiment);
  }
  const bool is_file = !a.experiment.empty();
  if (!is_file || !given["concurrency"].defaulted()) file.concurrency = a.concurrency;
  if (!is_file || !given["reconnect-seconds"].defaulted()) {
    file.reconnect = duration("reconnect-seconds", a.reconnect);
  }
  use_access(file.experiment, a.access.read());
  if (!a.out.empty()) file.folder = a.out;
  require(file.concurrency >= 1 && file.concurrency <= 1000, "--concurrency must be 1 to 1000");
  return file;
}

constexpr const char* address_file = "ledger.url";

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

/// Writes what an experiment's folder has of its ledger, and says so; returns what has failed.
std::string keep_records(const Conduct& conduct, const LedgerContents& contents) {
  std::string written = conduct.database ? address_file : "ledger.sqlite";
  std::string failure;
  try {
    if (conduct.database) {
      replace_file(conduct.folder / address_file, conduct.database->address() + "\n");
    }
    write_records(conduct.folder, contents,
                  [&](const std::string& name) { written += ", " + name; });
  } catch (const UserError& e) {
    failure = e.what();
  }
  std::cout << "records    " << conduct.folder.string() << ": " << written << "\n";
  return failure;
}

int play(const ExperimentFile& file, const RefereeFlags& a) {
  require(!file.folder.empty(), "--out must name a folder");
  Conduct conduct = conduct_of(file);
  conduct.processors = a.processors;
  conduct.wants_games = !a.has_no_records;
  if (!a.ledger.empty()) {
    const std::string experiment = a.join.empty() ? "" : "#" + a.join;
    conduct.database = database_of(a.ledger + experiment, file);
    check_folder(conduct.folder, *conduct.database);
  }
  conduct.handles_signals = true;
  ProgressDisplay progress;
  conduct.on_progress = [&](const Results& results) { progress.update(results); };
  conduct.on_note = [&](const std::string& text) { progress.note(text); };
  std::optional<RunEnd> ended;
  try {
    ended = run_experiment(file.experiment, conduct);
  } catch (const LedgerAway& away) {
    progress.finish();
    std::cerr << "stopped: " << away.what() << "; the same command continues the experiment\n";
    return exit_stopped;
  }
  const RunEnd& end = *ended;
  progress.finish();
  std::cout << summary_table(end.contents.results);
  std::string why = end.why;
  if (conduct.wants_games) {
    const std::string failure = keep_records(conduct, end.contents);
    if (!failure.empty()) why += (why.empty() ? "" : "; ") + failure;
  }
  std::cout << std::flush;
  if (!why.empty()) {
    std::cerr << "stopped: " << why << "; the same command continues the experiment\n";
    return exit_stopped;
  }
  if (end.kind == RunEnd::Kind::complete) return exit_complete;
  std::cerr << "interrupted; the same command continues the experiment\n";
  return exit_interrupted;
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
  for (const std::string& remark : remarks_on(file.experiment)) {
    std::cerr << "note: " << remark << "\n";
  }
  if (!values.is_dry_run) return play(file, values);
  std::cout << plan_text(file, measure_costs(file.experiment, make_engine));
  return exit_complete;
}

}  // namespace pitboss::clients
