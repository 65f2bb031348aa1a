#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/ladder.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/ladder_truth.hpp"
#include "clients/pitboss/play_experiment.hpp"
#include "clients/pitboss/position_searches.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/setting_flags.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/dry_run.hpp"
#include "clients/results/ladder.hpp"
#include "clients/results/record_files.hpp"
#include "environment/machine.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr std::string_view ladder_usage =
    "Tells what a doubling is worth: plays a player with each of several values of one option\n"
    "against the next ones, and rates them. The same command with the same --out continues what\n"
    "was interrupted. See docs/ladders.md.\n\n"
    "  pitboss ladder --game othello --player preset=network --over simulations=100:6400\n"
    "    --games 400 --out run/ladder\n"
    "  pitboss ladder --game \"hex size=7\" --player preset=uct --over movetime=25:800 --out "
    "DIR\n\n";

struct LadderFlags {
  std::string over;
  LadderSettings settings;
  std::string truth;
  std::string out;
  ServerFlags servers;
  bool is_dry_run = false;
};

po::options_description describe(LadderFlags& a) {
  po::options_description all("Options", 100, 50);
  const auto many = [](std::vector<std::string>& values) {
    return po::value(&values)->composing();
  };
  auto add = all.add_options();
  add("game", many(a.settings.games)->value_name("NAME"),
      "the game, perhaps with parameters: \"hex size=7\"; repeatable");
  add("player", many(a.settings.players)->value_name("STRING"),
      "as --player of the referee, without need of a name: \"preset=network exact=off\"; "
      "repeatable: ladders side by side");
  add("over", po::value(&a.over)->value_name("NAME=VALUES"),
      "the option and its values: simulations=100:6400, each twice the one before, or a list, "
      "network=small,large");
  add("games",
      po::value(&a.settings.games_a_pairing)
          ->default_value(a.settings.games_a_pairing)
          ->value_name("N"),
      "of each pairing");
  add("reach", po::value(&a.settings.reach)->default_value(a.settings.reach)->value_name("N"),
      "how many of the values above its own a player meets");
  add("apart", po::bool_switch(&a.settings.is_apart),
      "several players do not meet each other; otherwise they do, with the same value");
  add("openings",
      po::value(&a.settings.openings)->default_value(a.settings.openings)->value_name("KIND"),
      "as those of the referee");
  add_flags(all, match_rows, Match());
  add("truth", po::value(&a.truth)->value_name("FILE"),
      "also the share of its positions in which a player's move loses what they are worth: "
      "data/results/truth-positions.jsonl, or a file like that");
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the records");
  a.servers.add_to(all);
  add_flags(all, run_rows, ExperimentFile());
  add("dry-run", po::bool_switch(&a.is_dry_run),
      "only say what would be played and how long it may take");
  add("help", "this text");
  return all;
}

LadderSettings settings_of(const LadderFlags& a, const po::variables_map& flags) {
  LadderSettings out = a.settings;
  for (const auto& [name, is_missing] : {std::pair{"game", out.games.empty()},
                                         {"player", out.players.empty()},
                                         {"over", a.over.empty()},
                                         {"out", a.out.empty() && !a.is_dry_run}}) {
    require(!is_missing, "--" + std::string(name) + " is missing");
  }
  require(out.reach >= 1 && out.reach <= 100, "--reach must be from 1 to 100");
  out.over = ladder_option(a.over);
  for (const auto& row : match_rows) {
    if (auto value = given_setting(flags, row)) out.rows.push_back(std::move(*value));
  }
  return out;
}

/// Those of positions of a game that is played.
std::vector<TruthPosition> truth_of(const LadderFlags& a, const Experiment& experiment) {
  if (a.truth.empty()) return {};
  std::vector<TruthPosition> out = read_truth_positions(user_path(a.truth));
  const auto is_played = [&](const TruthPosition& of) {
    return std::ranges::any_of(experiment.matches, [&](const Match& match) {
      return rules_text(match) == of.position.rules;
    });
  };
  require(std::ranges::any_of(out, is_played), "--truth: " + a.truth +
                                                   " has no position of a game "
                                                   "that is played");
  return out;
}

/// The servers' addresses, those of `servers` if any player needs one.
std::vector<Address> addresses_of(const LadderFlags& a, std::optional<SearchServers>& servers) {
  const bool is_needed = std::ranges::any_of(a.settings.players, needs_server);
  if (!is_needed && a.servers.servers.empty()) return {};
  return servers.emplace(a.servers).addresses();
}

constexpr const char* page_name = "ladder.html";

void write_page(const Document& document, const std::filesystem::path& folder) {
  replace_file(folder / "ladder.json", text_of(json_of(document)) + "\n");
  replace_file(folder / page_name, html_page(document));
}

}  // namespace

int ladder_command(const std::vector<std::string>& arguments) {
  LadderFlags flags;
  const po::options_description options = describe(flags);
  const auto given = read_flags("ladder", ladder_usage, options, arguments);
  if (!given) return exit_complete;
  const LadderSettings settings = settings_of(flags, *given);
  std::optional<SearchServers> servers;
  const std::vector<Address> addresses = addresses_of(flags, servers);
  ExperimentFile file = ladder_file(settings, addresses);
  read_given(*given, run_rows, file);
  use_access(file.experiment, flags.servers.access.read());
  if (!flags.out.empty()) file.folder = user_path(flags.out);
  const std::vector<TruthPosition> truth = truth_of(flags, file.experiment);
  for (const std::string& remark : remarks_on(file.experiment)) {
    std::cerr << "note: " << remark << "\n";
  }
  if (flags.is_dry_run) {
    const std::string load = load_text(environment::load(), environment::processors());
    std::cout << plan_text(file, measure_costs(file.experiment, make_engine)) << load;
    return exit_complete;
  }
  const Conduct conduct = conduct_of(file);
  const std::optional<RunEnd> end = run_with_display(file.experiment, conduct);
  if (!end) return exit_stopped;
  const Results& results = end->contents.results;
  int code = conclude_run(conduct, *end).exit_code;
  const std::vector<GameLadders> ladders = ladders_in(results);
  const std::string title = "Ladders of " + settings.over.name;
  Document document{title, {ladders_section(ladders)}};
  write_page(document, conduct.folder);
  if (code == exit_complete && !truth.empty()) {
    ServerFlags same = flags.servers;
    same.servers.clear();
    for (const Address& address : addresses) same.servers.push_back(address.text());
    TruthErrors errors;
    const std::filesystem::path folder = conduct.folder / "truth";
    code = measure_errors(truth, ladders, results, folder, same, errors).value_or(code);
    document = {title, {ladders_section(ladders, errors)}};
    write_page(document, conduct.folder);
  }
  std::cout << terminal_text(document) << "page       " << (conduct.folder / page_name).string()
            << "\n";
  return code;
}

}  // namespace pitboss::clients
