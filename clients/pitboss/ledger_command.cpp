#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <ranges>
#include <string_view>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/referee/ledger/copy_ledger.hpp"
#include "clients/referee/ledger/database_server.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/referee/verify_games.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/record_files.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr std::string_view ledger_usage =
    "Looks into the records of experiments. A LEDGER is a folder that `pitboss referee --out` has\n"
    "made, or an experiment in a PostgreSQL database, postgresql://USER@HOST:PORT/DATABASE#NAME.\n"
    "See docs/ledger.md.\n\n"
    "  pitboss ledger show LEDGER              what the experiment amounts to\n"
    "  pitboss ledger export LEDGER --to DIR   all that a run writes, and DIR/games: a file of SGF "
    "a game\n"
    "  pitboss ledger backup LEDGER --to DIR   copies the ledger, also while a referee plays\n"
    "  pitboss ledger copy FROM TO             the same, from and to any place\n"
    "  pitboss ledger verify LEDGER            replays every game and checks every record\n"
    "  pitboss ledger start DIR                runs a PostgreSQL server in DIR; prints its URL\n"
    "  pitboss ledger stop DIR                 stops it\n\n";

struct LedgerFlags {
  std::string to;
  std::string listen;
};

/// The folder that --to names.
std::string target_of(const LedgerFlags& flags, const char* purpose) {
  require(!flags.to.empty(),
          std::string("--to DIR, the folder for the ") + purpose + ", is missing");
  return flags.to;
}

/// An experiment and all that its ledger holds.
struct Recorded {
  explicit Recorded(const LedgerPlace& place)
      : experiment(read_experiment(place)),
        contents(read_contents(Ledger(place, experiment), experiment)) {}
  Experiment experiment;
  LedgerContents contents;
};

/// A line for each referee that plays.
void print_referees(const std::vector<RefereeEntry>& referees) {
  const char* heading = "referees   ";
  for (const RefereeEntry& referee : referees) {
    if (referee.has_left) continue;
    const auto silence = std::chrono::duration_cast<std::chrono::seconds>(referee.silence).count();
    std::cout << heading << referee.name << ": " << referee.games << " games, seen " << silence
              << " s ago\n";
    heading = "           ";
  }
}

int show(const std::vector<std::string>& words, const LedgerFlags&) {
  const Recorded recorded(existing_place(words[0]));
  std::cout << summary_table(recorded.contents.results);
  const auto& incidents = recorded.contents.incidents;
  const auto again = std::ranges::count(incidents, false, &Incident::is_loss);
  std::cout << "incidents  " << incidents.size() - static_cast<std::size_t>(again) << " lost, "
            << again << " played again\n";
  print_referees(recorded.contents.referees);
  return 0;
}

int export_to(const std::vector<std::string>& words, const LedgerFlags& flags) {
  const std::string to = target_of(flags, "export");
  const Recorded recorded(existing_place(words[0]));
  std::error_code error;
  fs::create_directories(to, error);
  if (error) throw UserError("cannot create " + to + ": " + error.message());
  write_records(to, recorded.contents);
  const fs::path games = fs::path(to) / "games";
  const SgfFiles files = write_sgf(games, recorded.contents);
  std::cout << files.written << " games of SGF in " << games.string() << "\n";
  if (files.left_out > 0) {
    std::cout << files.left_out
              << " games left out: SGF has no other colours than black and white\n";
  }
  return 0;
}

int backup(const std::vector<std::string>& words, const LedgerFlags& flags) {
  const fs::path to = target_of(flags, "backup");
  copy_ledger(existing_place(words[0]), to);
  std::cout << ledger_path(to).string() << "\n";
  return 0;
}

int copy(const std::vector<std::string>& words, const LedgerFlags&) {
  const LedgerPlace from = existing_place(words[0]);
  LedgerPlace to = parse_place(words[1]);
  const auto* database = std::get_if<DatabasePlace>(&to);
  if (database != nullptr && !database->is_named()) {
    to = DatabasePlace(database->url(), name_of(read_plan(from).name, from));
  }
  copy_ledger(from, to);
  std::cout << text_of(to) << "\n";
  return 0;
}

int verify(const std::vector<std::string>& words, const LedgerFlags&) {
  const LedgerPlace place = existing_place(words[0]);
  const Experiment experiment = read_plan(place);
  const Ledger ledger(place, experiment);
  const auto played = ledger.played();
  auto faults = ledger.faults();
  std::ranges::move(faults_in(experiment, played), std::back_inserter(faults));
  static_cast<void>(ledger.declarations());  // throws if the table is damaged
  for (const std::string& fault : faults) std::cout << fault << "\n";
  for (const std::string& sentence : unproven_in(experiment, played)) std::cout << sentence << "\n";
  std::size_t games = 0;
  for (const PlayedRound& round : played) games += round.games.size();
  std::cout << games << " games in " << played.size() << " rounds of " << experiment.matches.size()
            << " matches: "
            << (faults.empty() ? "all sound" : std::to_string(faults.size()) + " faults") << "\n";
  return faults.empty() ? 0 : 1;
}

int start(const std::vector<std::string>& words, const LedgerFlags& flags) {
  std::cout << text_of(start_server(words[0], flags.listen)) << "\n";
  return 0;
}

int stop(const std::vector<std::string>& words, const LedgerFlags&) {
  stop_server(words[0]);
  return 0;
}

struct LedgerVerb {
  std::string_view name;
  std::string_view words;  ///< what it takes
  std::size_t least;
  std::size_t most;
  int (*run)(const std::vector<std::string>& words, const LedgerFlags& flags);
};

constexpr std::array ledger_verbs{
    LedgerVerb{"show", "one ledger", 1, 1, show},
    LedgerVerb{"export", "one ledger", 1, 1, export_to},
    LedgerVerb{"backup", "one ledger", 1, 1, backup},
    LedgerVerb{"copy", "a ledger and a place that has none", 2, 2, copy},
    LedgerVerb{"verify", "one ledger", 1, 1, verify},
    LedgerVerb{"start", "one folder", 1, 1, start},
    LedgerVerb{"stop", "one folder", 1, 1, stop}};

}  // namespace

int ledger(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find_if(
      arguments, [](const std::string& word) { return word.starts_with('-'); });
  const std::vector<std::string> words(arguments.begin(), end);
  LedgerFlags flags;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("to", po::value(&flags.to)->value_name("DIR"), "where to export or to back up");
  add("listen", po::value(&flags.listen)->default_value("127.0.0.1")->value_name("ADDRESS"),
      "where the server of ledger start is reached: an address of this machine, chosen when it is "
      "started for the first time");
  add("help", "this text");
  if (!read_flags("ledger", ledger_usage, options, {end, arguments.end()})) return 0;
  require(!words.empty(),
          "expected show, export, backup, copy, verify, start or stop; see pitboss ledger --help");
  const LedgerVerb& verb = verb_named("ledger", words[0], ledger_verbs);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  require(rest.size() >= verb.least && rest.size() <= verb.most,
          "ledger " + words[0] + " takes " + std::string(verb.words));
  return verb.run(rest, flags);
}

}  // namespace pitboss::clients
