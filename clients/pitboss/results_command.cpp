#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/search_signature.hpp"
#include "clients/pitboss/speed_figures.hpp"
#include "clients/published/markdown.hpp"
#include "clients/published/pages.hpp"
#include "clients/published/repeats.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/results/progress_display.hpp"
#include "clients/results/record_files.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr std::string_view results_usage =
    "Plays the papers' tables, keeps records of their matches in data/results, and writes the "
    "pages\n"
    "of docs/results from these records. A TABLE is an experiment of data/experiments with a "
    "table\n"
    "[published]. See docs/referee.md.\n\n"
    "  pitboss results play TABLE...    plays the matches that have no record, one after the "
    "other;\n"
    "                                   the same command continues what was interrupted\n"
    "  pitboss results record TABLE...  only records what was played\n"
    "  pitboss results repeat TABLE...  plays ten recorded matches again, with their seed and with "
    "the\n"
    "                                   next one\n"
    "  pitboss results time             measures what novelty costs, with nothing else running; "
    "with\n"
    "                                   --networks in networks, too\n"
    "  pitboss results write            only writes the pages\n\n";

struct ResultsFlags {
  std::string repository;
  std::string out;
  std::vector<std::string> servers;
  AccessFlags access;
  int games = 0;
  int concurrency = 0;
  int cells = 10;
  std::vector<std::string> named_cells;
  std::uint64_t draw = 1;
  double seconds = 60;
  bool has_networks = false;
};

po::options_description describe(ResultsFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("repository", po::value(&a.repository)->default_value(".")->value_name("DIR"),
      "where data/ and docs/ are");
  add("out", po::value(&a.out)->default_value("run/results")->value_name("DIR"),
      "folder for the ledgers, one a match");
  add("server", po::value(&a.servers)->composing()->value_name("HOST:PORT"),
      "where the players are, instead of the servers in the file; repeatable");
  a.access.add_to(all);
  add("games", po::value(&a.games)->default_value(0)->value_name("N"),
      "no more than N games of each match for now; 0: all");
  add("concurrency", po::value(&a.concurrency)->default_value(0)->value_name("C"),
      "games at once; 0: as many as the file says");
  add("cells", po::value(&a.cells)->default_value(10)->value_name("N"),
      "how many matches are played again");
  add("draw", po::value(&a.draw)->default_value(1)->value_name("SEED"), "which ones they are");
  add("cell", po::value(&a.named_cells)->composing()->value_name("GAME.PLAYER.OPPONENT"),
      "play this match again, instead of drawn ones, and tell what it came to; repeatable");
  add("seconds", po::value(&a.seconds)->default_value(60)->value_name("S"),
      "time: for each game, and as many again for its network");
  add("networks", po::bool_switch(&a.has_networks), "time: networks, too");
  add("help", "this text");
  return all;
}

/// Where a match's ledger is.
fs::path folder_of(const ResultsFlags& flags, const Table& table, const Match& match) {
  return fs::path(flags.out) / table.name / name_of(match);
}

/// Keeps what a game of the match took, over all that were played.
void keep_cost(const Repository& repository, Table& table, const LedgerContents& contents) {
  constexpr double microseconds = 1e6;
  constexpr double precision = 1e5;
  std::int64_t processor_us = 0;
  int games = 0;
  for (const PlayedRound& round : contents.played) {
    for (const PlayedGame& game : round.games) {
      ++games;
      for (const std::string& efforts : game.efforts) {
        for (const Effort& effort : efforts_in(efforts)) {
          processor_us += effort.processor_us.value_or(0);
        }
      }
    }
  }
  if (games == 0 || processor_us == 0) return;
  const double seconds = static_cast<double>(processor_us) / microseconds / games;
  const Match& match = contents.results.matches().front().match();
  table.costs[name_of(match)] = std::round(seconds * precision) / precision;
  Costs costs = read_costs(repository.costs());
  costs[table.name] = table.costs;
  replace_file(repository.costs(), text_of(costs));
}

/// Records a match if all games are played that its ledger plans, and more than its record has.
void record(const Repository& repository, const ResultsFlags& flags, Table& table,
            std::size_t number) {
  const Match& match = table.matches()[number];
  const fs::path folder = folder_of(flags, table, match);
  if (!fs::exists(ledger_path(folder))) return;
  const Experiment experiment = read_experiment(folder);
  require(experiment.matches.size() == 1 && match_id(experiment.matches[0]) == match_id(match),
          folder.string() + " holds another match than " + table.name + " has");
  const LedgerContents contents = read_contents(Ledger(folder, experiment), experiment);
  fs::create_directories(repository.costs().parent_path());
  keep_cost(repository, table, contents);
  auto& known = table.records[number];
  const int games = contents.results.games();
  if (!contents.results.is_over() || (known && known->tally.games() >= games)) return;
  known = record_of(contents, search_signature({match.game}));
  std::vector<CellRecord> all;
  for (const auto& one : table.records) {
    if (one) all.push_back(*one);
  }
  all.insert(all.end(), table.others.begin(), table.others.end());
  replace_file(repository.records(table.name), text_of(all));
  std::cout << table.name << ": " << folder.filename().string() << ", " << games << " games\n";
}

/// Plays what is missing of a match; returns the exit code.
int play_match(const ResultsFlags& flags, const Table& table, Match match, fs::path folder) {
  Conduct conduct = conduct_of(table.file);
  conduct.folder = std::move(folder);
  if (flags.concurrency > 0) conduct.concurrency = flags.concurrency;
  conduct.handles_signals = true;
  ProgressDisplay progress;
  conduct.on_progress = [&](const Results& results) { progress.update(results); };
  conduct.on_note = [&](const std::string& text) { progress.note(text); };
  const Experiment experiment{table.name, {std::move(match)}, std::nullopt};
  const RunEnd end = run_experiment(experiment, conduct);
  progress.finish();
  if (end.kind == RunEnd::Kind::complete) return 0;
  std::cerr << (end.why.empty() ? "interrupted" : "stopped: " + end.why)
            << "; the same command continues\n";
  return end.why.empty() ? exit_interrupted : exit_stopped;
}

int play(const Repository& repository, const ResultsFlags& flags, Table& table) {
  for (std::size_t number = 0; number < table.matches().size(); ++number) {
    Match match = table.matches()[number];
    if (flags.games > 0 && flags.games < match.games) {
      require(
          flags.games % match.round() == 0,
          "--games must be a multiple of " + std::to_string(match.round()) + " for " + match.game);
      match.games = flags.games;
    }
    const auto& known = table.records[number];
    if (known && known->tally.games() >= match.games) continue;
    const fs::path folder = folder_of(flags, table, match);
    const int code = play_match(flags, table, std::move(match), folder);
    record(repository, flags, table, number);
    if (code != 0) return code;
  }
  return 0;
}

void expect_tables(const std::vector<std::string>& names) {
  require(!names.empty(), "expected the name of a table; see pitboss results --help");
}

std::vector<ServerCapacity> servers_of(const ResultsFlags& flags) {
  std::vector<ServerCapacity> servers;
  const Access access = flags.access.read();
  for (const std::string& text : flags.servers) {
    Address address = parse_address(text);
    address.access = access;
    servers.push_back({address, 0});
  }
  return servers;
}

int play_tables(const ResultsFlags& flags, const std::vector<std::string>& names) {
  expect_tables(names);
  const std::vector<ServerCapacity> servers = servers_of(flags);
  const Repository repository{flags.repository};
  int code = 0;
  for (const std::string& name : names) {
    Table table = read_table(repository, name, servers);
    code = play(repository, flags, table);
    if (code != 0) break;
  }
  write_pages(repository);
  return code;
}

/// Where the ledgers of matches are that are played again, until all are played: of those that the
/// user names, and of those that are drawn.
fs::path folder_of_repeats(const ResultsFlags& flags) {
  return fs::path(flags.out) / (flags.named_cells.empty() ? "repeats" : "repeats-named");
}

/// Plays a match again; adds its record to `all`. Returns the exit code.
int play_again(const ResultsFlags& flags, const Table& table, const Match& match, const char* which,
               std::vector<CellRecord>& all) {
  const fs::path folder = folder_of_repeats(flags) / which / table.name / name_of(match);
  const int code = play_match(flags, table, match, folder);
  if (code != 0) return code;
  const Experiment experiment = read_experiment(folder);
  const CellRecord again = record_of(read_contents(Ledger(folder, experiment), experiment),
                                     search_signature({match.game}));
  std::erase_if(all, [&](const CellRecord& one) { return one.match == again.match; });
  all.push_back(again);
  return 0;
}

/// Cells that the user names are told of, and are not recorded: the recorded ones are drawn.
int repeat_tables(const ResultsFlags& flags, const std::vector<std::string>& names) {
  expect_tables(names);
  const std::vector<ServerCapacity> servers = servers_of(flags);
  const Repository repository{flags.repository};
  std::vector<Table> tables;
  for (const std::string& name : names) tables.push_back(read_table(repository, name, servers));
  const bool are_drawn = flags.named_cells.empty();
  const std::vector<RecordedCell> cells = are_drawn ? draw_cells(tables, flags.cells, flags.draw)
                                                    : cells_named(tables, flags.named_cells);
  require(!cells.empty(), "no match of these tables is recorded whole: play them first");
  std::vector<CellRecord> all;
  if (are_drawn) all = read_records(repository.repeats());
  for (const RecordedCell& cell : cells) {
    const Table& table = tables[cell.table];
    const Match& match = table.matches()[cell.match];
    int code = play_again(flags, table, match, "same-seed", all);
    if (code == 0) code = play_again(flags, table, with_other_seed(match), "other-seed", all);
    if (are_drawn && !all.empty()) replace_file(repository.repeats(), text_of(all));
    if (code != 0) return code;
  }
  fs::remove_all(folder_of_repeats(flags));  // the next call begins anew
  if (are_drawn) {
    write_pages(repository);
    return 0;
  }
  const std::vector<Repeat> repeats = repeats_of(tables, all);
  std::cout << repeats_table(tables, repeats);
  return std::ranges::all_of(repeats,
                             [&](const Repeat& one) { return has_same_games(tables, one); })
             ? 0
             : exit_stopped;
}

int record_tables(const ResultsFlags& flags, const std::vector<std::string>& names) {
  expect_tables(names);
  const Repository repository{flags.repository};
  for (const std::string& name : names) {
    Table table = read_table(repository, name);
    for (std::size_t number = 0; number < table.matches().size(); ++number) {
      record(repository, flags, table, number);
    }
  }
  write_pages(repository);
  return 0;
}

/// In the games of the paper.
int time_novelty(const ResultsFlags& flags, const std::vector<std::string>& names) {
  require(names.empty(), "results time takes no table: it measures what novelty costs");
  const Repository repository{flags.repository};
  require(fs::is_directory(repository.times().parent_path()),
          "there is no folder " + repository.times().parent_path().string());
  const SpeedPlan plan{
      .games = {"connect4", "othello", "breakthrough", "knightthrough", "gomoku", "atarigo"},
      .seconds = flags.seconds,
      .has_networks = flags.has_networks};
  const nlohmann::ordered_json record = json_of(measure_speed(plan));
  replace_file(repository.times(), record.dump(2) + "\n");
  write_pages(repository);
  return 0;
}

int write(const ResultsFlags& flags, const std::vector<std::string>& names) {
  require(names.empty(), "results write takes no table: it writes all pages");
  write_pages(Repository{flags.repository});
  return 0;
}

struct ResultsVerb {
  std::string_view name;
  int (*run)(const ResultsFlags& flags, const std::vector<std::string>& tables);
};

constexpr std::array results_verbs{ResultsVerb{"play", play_tables},
                                   ResultsVerb{"record", record_tables},
                                   ResultsVerb{"repeat", repeat_tables},
                                   ResultsVerb{"time", time_novelty}, ResultsVerb{"write", write}};

}  // namespace

int results_command(const std::vector<std::string>& arguments) {
  ResultsFlags flags;
  const po::options_description options = describe(flags);
  std::vector<std::string> words;
  if (!read_flags("results", results_usage, options, arguments, &words)) return 0;
  require(!words.empty(),
          "expected play, record, repeat, time or write; see pitboss results --help");
  require(flags.games >= 0, "--games must not be negative");
  require(flags.concurrency >= 0 && flags.concurrency <= 1000, "--concurrency must be 0 to 1000");
  require(flags.cells >= 1, "--cells must be 1 or more");
  const ResultsVerb& verb = verb_named("results", words[0], results_verbs);
  return verb.run(flags, {words.begin() + 1, words.end()});
}

}  // namespace pitboss::clients
