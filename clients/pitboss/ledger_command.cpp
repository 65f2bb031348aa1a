#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string_view>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/merge_ledgers.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/referee/verify_games.hpp"
#include "clients/report/record_files.hpp"
#include "clients/report/summary.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

constexpr std::string_view ledger_usage =
    "Looks into the records of experiments. A FOLDER is what `pitboss referee --out` has made. "
    "See\n"
    "docs/referee.md.\n\n"
    "  pitboss ledger show FOLDER              what the experiment amounts to\n"
    "  pitboss ledger export FOLDER --to DIR   all that a run writes, and DIR/games: a file of SGF "
    "a game\n"
    "  pitboss ledger backup FOLDER --to DIR   copies the ledger, also while a referee plays\n"
    "  pitboss ledger merge TARGET FOLDER...   adds the folders' games to TARGET's\n"
    "  pitboss ledger verify FOLDER            replays every game and checks every record\n\n";

/// A folder's experiment and all that its ledger holds.
struct Folder {
  explicit Folder(const fs::path& path)
      : experiment(read_experiment(path)),
        contents(read_contents(Ledger(path, experiment), experiment)) {}
  Experiment experiment;
  LedgerContents contents;
};

int show(const std::vector<std::string>& folders, const std::string&) {
  const Folder folder(folders[0]);
  std::cout << summary_table(folder.contents.results);
  const auto& incidents = folder.contents.incidents;
  const auto again = std::ranges::count(incidents, false, &Incident::is_loss);
  std::cout << "incidents  " << incidents.size() - static_cast<std::size_t>(again) << " lost, "
            << again << " played again\n";
  return 0;
}

int export_to(const std::vector<std::string>& folders, const std::string& to) {
  if (to.empty()) throw UserError("--to DIR, the folder for the export, is missing");
  const Folder folder(folders[0]);
  std::error_code error;
  fs::create_directories(to, error);
  if (error) throw UserError("cannot create " + to + ": " + error.message());
  write_records(to, folder.contents);
  const fs::path games = fs::path(to) / "games";
  const SgfFiles files = write_sgf(games, folder.contents);
  std::cout << files.written << " games of SGF in " << games.string() << "\n";
  if (files.left_out > 0) {
    std::cout << files.left_out
              << " games left out: SGF has no other colours than black and white\n";
  }
  return 0;
}

int backup(const std::vector<std::string>& folders, const std::string& to) {
  if (to.empty()) throw UserError("--to DIR, the folder for the backup, is missing");
  back_up_ledger(folders[0], to);
  std::cout << ledger_path(to).string() << "\n";
  return 0;
}

int merge(const std::vector<std::string>& folders, const std::string&) {
  const Merged merged = merge_ledgers(folders[0], {folders.begin() + 1, folders.end()});
  const Folder all(folders[0]);
  write_records(folders[0], all.contents);
  std::cout << "rounds: " << merged.added << " added, " << merged.known << " known, "
            << merged.differing << " played twice with different moves, of which the first count\n";
  return 0;
}

int verify(const std::vector<std::string>& folders, const std::string&) {
  const Experiment experiment = read_experiment(folders[0]);
  const Ledger ledger(folders[0], experiment);
  const auto played = ledger.played();
  auto faults = ledger.faults();
  std::ranges::move(faults_in(experiment, played), std::back_inserter(faults));
  static_cast<void>(ledger.declarations());  // throws if the table is damaged
  for (const std::string& fault : faults) std::cout << fault << "\n";
  std::size_t games = 0;
  for (const PlayedRound& round : played) games += round.games.size();
  std::cout << games << " games in " << played.size() << " rounds of " << experiment.matches.size()
            << " matches: "
            << (faults.empty() ? "all sound" : std::to_string(faults.size()) + " faults") << "\n";
  return faults.empty() ? 0 : 1;
}

struct LedgerVerb {
  std::string_view name;
  std::size_t least;  ///< folders
  std::size_t most;
  int (*run)(const std::vector<std::string>& folders, const std::string& to);
};

constexpr std::array ledger_verbs{
    LedgerVerb{"show", 1, 1, show}, LedgerVerb{"export", 1, 1, export_to},
    LedgerVerb{"backup", 1, 1, backup}, LedgerVerb{"merge", 2, 1000, merge},
    LedgerVerb{"verify", 1, 1, verify}};

}  // namespace

int ledger(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find_if(
      arguments, [](const std::string& word) { return word.starts_with('-'); });
  const std::vector<std::string> words(arguments.begin(), end);
  std::string to;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("to", po::value(&to)->value_name("DIR"), "where to export or to back up");
  add("help", "this text");
  if (!read_flags("ledger", ledger_usage, options, {end, arguments.end()})) return 0;
  if (words.empty())
    throw UserError("expected show, export, backup, merge or verify; see pitboss ledger --help");
  const LedgerVerb& verb = verb_named("ledger", words[0], ledger_verbs);
  const std::vector<std::string> folders(words.begin() + 1, words.end());
  if (folders.size() < verb.least || folders.size() > verb.most) {
    throw UserError("ledger " + words[0] + " takes " +
                    (verb.most > 1 ? "a target and at least one folder" : "one folder"));
  }
  return verb.run(folders, to);
}

}  // namespace pitboss::clients
