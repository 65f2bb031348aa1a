#include <boost/program_options.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/counted.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "clients/league/league.hpp"
#include "clients/league/league_document.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/play_experiment.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/setting_flags.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/record_files.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using environment::AwakeClock;

constexpr std::string_view league_usage =
    "Rates players who come and go: whoever gains most by it meets next, and all games count for\n"
    "good. The files say who plays now; who is in none of them any more has retired. The same\n"
    "command goes on. PLACE is a folder, or postgresql://USER@HOST:PORT/DATABASE#NAME.\n"
    "See docs/league.md.\n\n"
    "  pitboss league PLACE --experiment FILE.toml --games 1000\n\n";

struct LeagueFlags {
  std::vector<std::string> experiments;
  std::int64_t games = 1000;
  double within = 50;
  std::string out;
  AccessFlags access;
};

po::options_description describe(LeagueFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("experiment", po::value(&a.experiments)->composing()->value_name("FILE"),
      "an experiment file whose players play; repeatable: games, openings and [league] are those "
      "of the first");
  add("games", po::value(&a.games)->default_value(a.games)->value_name("N"),
      "ends when so many more games are played, in whole rounds; 0: only writes the page");
  add("within", po::value(&a.within)->default_value(a.within)->value_name("ELO"),
      "ends when all 95 % intervals are this narrow, to either side");
  add("out", po::value(&a.out)->value_name("DIR"),
      "folder for league.html and league.json (default: PLACE)");
  add_flags(all, run_rows, ExperimentFile());
  a.access.add_to(all);
  add("help", "this text");
  return all;
}

/// A league as its ledger has it now.
struct LeagueState {
  std::unique_ptr<Experiment> experiment;  ///< stays where it is: the others point into it
  LedgerContents contents;
  std::vector<LeagueGame> games;
  std::vector<LeagueRatings> ratings;
};

class LeagueCommand {
 public:
  LeagueCommand(const LeagueFlags& flags, const po::variables_map& given, const std::string& place)
      : a_(flags), place_(parse_place(place)), plan_(plan_of(flags)), access_(flags.access.read()) {
    read_given(given, run_rows, plan_.run);
    if (auto* const folder = std::get_if<fs::path>(&place_)) *folder = user_path(place);
    const auto* const folder = std::get_if<fs::path>(&place_);
    require(folder != nullptr || !a_.out.empty(), "--out DIR, the folder for the page, is missing");
    folder_ = a_.out.empty() ? *folder : user_path(a_.out);
    conduct_ = conduct_of(plan_.run);
    if (const auto* const database = std::get_if<DatabasePlace>(&place_)) {
      conduct_.database = database->is_named()
                              ? *database
                              : DatabasePlace(database->url(), plan_.run.experiment.name);
      place_ = *conduct_.database;
      conduct_.folder = folder_;
    } else {
      conduct_.folder = *folder;
      require(has_ledger(place_) || !fs::exists(*folder) || fs::is_empty(*folder),
              folder->string() + " has files, and no league: name a new folder");
    }
    // The page is made from what is read again.
    conduct_.wants_games = false;
  }

  int run() {
    auto state = look();
    const int before = state.contents.results.games();
    tell_retired(state);
    const Interruption interruption;
    for (;;) {
      const Results& results = state.contents.results;
      if (const std::string why = broken_player(state.games, results); !why.empty()) {
        return end(state, exit_stopped, "stopped: " + why);
      }
      if (interruption.flag()) return end(state, exit_interrupted, interrupted);
      if (results.games() - before >= a_.games) break;
      Experiment experiment = *state.experiment;
      if (results.is_over()) {
        if (widest_error(state.games, state.ratings) <= a_.within) break;
        plan_next_rounds(experiment, state.games, state.ratings, state.contents, a_.within);
        if (experiment.games() == state.experiment->games()) break;
      }
      use_access(experiment, access_);
      const Experiment part =
          next_part(experiment, state.contents, a_.games - (results.games() - before));
      std::optional<RunEnd> played;
      try {
        played = run_with_display(part, experiment, conduct_);
      } catch (const UserError& failure) {
        // Before its first game the command writes nothing; later on a batch could not begin.
        if (results.games() == before) throw;
        return end(state, exit_stopped, stopped_by(failure.what()));
      }
      if (!played) return exit_stopped;
      const RunEnd::Kind kind = played->kind;
      const std::string why = played->why;
      state = look();
      if (kind == RunEnd::Kind::stopped) {
        return end(state, exit_stopped, stopped_by(why));
      }
      if (kind == RunEnd::Kind::interrupted) {
        return end(state, exit_interrupted, interrupted);
      }
      if (AwakeClock::now() - written_ > std::chrono::seconds(30)) write_page(state);
    }
    return end(state, exit_complete, "");
  }

 private:
  static constexpr const char* interrupted = "interrupted; the same command goes on";
  static std::string stopped_by(const std::string& why) {
    return "stopped: " + why + "; the same command goes on";
  }

  static LeaguePlan plan_of(const LeagueFlags& flags) {
    require(!flags.experiments.empty(),
            "--experiment is missing, a file that says who plays; see docs/league.md");
    require(flags.games >= 0 && flags.games <= 1'000'000'000,
            "--games must be from 0 to 1000000000");
    require(flags.within > 0 && flags.within <= 100'000, "--within must be above 0, to 100000");
    std::vector<LeagueFile> files;
    for (const std::string& file : flags.experiments) {
      files.push_back(read_league_file(user_path(file)));
    }
    return league_plan(files);
  }

  /// Reads the ledger.
  [[nodiscard]] LeagueState look() const {
    const bool exists = has_ledger(place_);
    auto experiment = std::make_unique<Experiment>(
        league_experiment(plan_, exists ? read_experiment(place_) : Experiment{}, text_of(place_)));
    LedgerContents contents = exists ? read_contents(Ledger(place_, *experiment), *experiment)
                                     : LedgerContents{{}, {}, Results(*experiment)};
    std::vector<LeagueGame> games = league_games(plan_, *experiment);
    drop_retired(*experiment, games, contents);
    LeagueState state{std::move(experiment), std::move(contents), std::move(games), {}};
    for (const LeagueGame& game : state.games) {
      state.ratings.push_back(
          rate_league(results_of(game, state.contents.results, rounds_of(game, state.contents))));
    }
    return state;
  }

  static void tell_retired(const LeagueState& state) {
    std::string names;
    for (const LeagueGame& game : state.games) {
      for (std::size_t i = 0; i < game.players.size(); ++i) {
        if (game.plays[i]) continue;
        names += (names.empty() ? "" : ", ") + game.players[i] + " at " + game.title;
      }
    }
    if (!names.empty()) std::cerr << "retired: " << names << std::endl;
  }

  void write_page(const LeagueState& state) {
    const Document document = league_document(state.games, state.ratings, state.contents);
    std::error_code error;
    fs::create_directories(folder_, error);
    require(!error, "cannot create " + folder_.string() + ": " + error.message());
    replace_file(folder_ / "league.html", html_page(document));
    replace_file(folder_ / "league.json", text_of(json_of(document)) + "\n");
    written_ = AwakeClock::now();
  }

  int end(const LeagueState& state, int code, const std::string& why) {
    Document tables;
    for (std::size_t g = 0; g < state.games.size(); ++g) {
      tables.sections.push_back(
          {state.games[g].title,
           {league_table(state.games[g], state.ratings[g], state.contents.results)}});
    }
    std::cout << terminal_text(tables);
    std::string unwritten;
    try {
      // A folder with a page alone would be taken for somebody else's.
      if (has_ledger(place_)) {
        write_page(state);
        std::cout << "page       " << (folder_ / "league.html").string() << "\n";
      }
    } catch (const UserError& failure) {
      unwritten = failure.what();
    }
    std::cout << std::flush;
    if (!why.empty()) std::cerr << why << std::endl;
    if (!unwritten.empty()) std::cerr << "stopped: " << unwritten << std::endl;
    return unwritten.empty() ? code : exit_stopped;
  }

  const LeagueFlags& a_;
  LedgerPlace place_;
  LeaguePlan plan_;
  Access access_;
  fs::path folder_;
  Conduct conduct_;
  AwakeClock::time_point written_{};
};

}  // namespace

int league_command(const std::vector<std::string>& arguments) {
  LeagueFlags flags;
  const po::options_description options = describe(flags);
  std::vector<std::string> places;
  const auto given = read_flags("league", league_usage, options, arguments, &places);
  if (!given) return 0;
  require(places.size() == 1,
          "expected one place, a folder or a database; see pitboss league --help");
  return LeagueCommand(flags, *given, places.front()).run();
}

}  // namespace pitboss::clients
