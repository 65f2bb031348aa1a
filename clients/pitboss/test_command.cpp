#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/sprt_settings.hpp"
#include "clients/experiments/statistics/match_size.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/engine_builds.hpp"
#include "clients/pitboss/git_repository.hpp"
#include "clients/pitboss/play_experiment.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/search_checks.hpp"
#include "clients/pitboss/setting_flags.hpp"
#include "clients/pitboss/test_report.hpp"
#include "clients/players/transcript.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/record_files.hpp"
#include "clients/results/summary.hpp"
#include "environment/folders.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Exit codes of a test that has ended, beside those of a run.
constexpr int exit_better = exit_complete;
constexpr int exit_not_better = 4;
constexpr int exit_undecided = 5;

/// After so many rounds the match goes on only if the engines have played unlike each other.
constexpr int first_rounds = 32;

/// Of what says how an experiment is run, games at once: there are no servers.
constexpr std::array rows_of_run{run_rows[0]};
static_assert(rows_of_run[0].key == "concurrency");

constexpr std::string_view progress_rule = "elo0=0 elo1=5";
constexpr std::string_view non_regression_rule = "elo0=-5 elo1=0";

constexpr std::string_view test_usage =
    "Tells if a commit of an engine is stronger than another one: builds both, and has them play\n"
    "until a sequential test decides. The same command continues what was interrupted. It ends\n"
    "with 0: better; 4: not better; 5: undecided; 1: stopped or failed; 2: a mistake.\n"
    "See docs/engine-tests.md.\n\n"
    "  pitboss test --base main --new . --build \"make -j4\" --run ./engine --speaks gtp\n"
    "    --game hex --out run/test\n\n";

struct TestFlags {
  std::string repository;
  std::string base;
  std::string newer;
  std::string build;
  std::string run;
  std::string speaks;
  std::vector<std::string> both;
  std::vector<std::string> of_base;
  std::vector<std::string> of_new;
  std::string bench;
  std::string game;
  std::int64_t games = 0;
  std::string openings;
  std::string sprt;
  bool is_non_regression = false;
  bool plays_same = false;
  std::string cache;
  std::string out;
  std::string markdown;
  std::string json;
};

po::options_description describe(TestFlags& a) {
  po::options_description all("Options", 100, 50);
  const auto text = [](std::string& value, const char* sign) {
    return po::value(&value)->value_name(sign);
  };
  const auto many = [](std::vector<std::string>& values) {
    return po::value(&values)->composing()->value_name("KEY=VALUE");
  };
  auto add = all.add_options();
  add("base", text(a.base, "REF"), "the commit to beat: a branch, a tag, an id, HEAD~1");
  add("new", text(a.newer, "REF")->default_value("HEAD"),
      "the commit that is tested; . is what lies in the work tree, committed or not");
  add("repository", text(a.repository, "DIR")->default_value("."), "a folder in its repository");
  add("build", text(a.build, "CMD"), "builds the engine: for the shell, in the work tree");
  add("run", text(a.run, "CMD"), "the engine's command line, in the work tree");
  add("speaks", text(a.speaks, "PROTOCOL"), "gtp, uci, gomocup, nboard or pitboss");
  add("set", many(a.both),
      "what --player of the referee has of both: an option of the engine, setup=, tc=10+0.1, "
      "start_timeout=; repeatable");
  add("set-base", many(a.of_base), "the same of the base alone");
  add("set-new", many(a.of_new), "the same of the new commit alone");
  add("game", text(a.game, "NAME"), "the game, perhaps with parameters: \"hex size=9\"");
  add("games", po::value(&a.games)->default_value(20000)->value_name("N"),
      "at most; undecided then");
  add("openings", text(a.openings, "KIND")->default_value("random:2"), "as those of the referee");
  add_flags(all, match_rows, Match());
  add_flags(all, rows_of_run, ExperimentFile());
  add("sprt", text(a.sprt, "STRING")->default_value(std::string(progress_rule)),
      "the test; alpha=0.05 beta=0.05 model=normalized unless it says otherwise");
  add("non-regression", po::bool_switch(&a.is_non_regression),
      "instead of --sprt: that it is not weaker, \"elo0=-5 elo1=0\"");
  add("bench", text(a.bench, "CMD"),
      "for the shell, in the work tree: should say the same each time, and something else if the "
      "search has changed");
  add("play-same", po::bool_switch(&a.plays_same),
      "plays even if both commits build the same program, since another file of theirs differs "
      "that it reads, and on if both play the same moves");
  add("cache", text(a.cache, "DIR"), "folder for builds (default: pitboss/builds in ~/.cache)");
  add("out", text(a.out, "DIR"), "folder for the records");
  add("markdown", text(a.markdown, "FILE"), "writes the results as a comment for a pull request");
  add("json", text(a.json, "FILE"), "writes the results for programs");
  add("help", "this text");
  return all;
}

Setting player_of(const TestFlags& a, const EngineBuild& engine, const std::string& role,
                  const std::vector<std::string>& own) {
  std::vector<std::string> words{"name=" + role + "-" + engine.commit.short_id(),
                                 "speaks=" + a.speaks};
  words.insert(words.end(), a.both.begin(), a.both.end());
  words.insert(words.end(), own.begin(), own.end());
  for (const std::string& word : words) {
    require(!word.starts_with("server=") && !word.starts_with("program="),
            "--set: where the engine is, --run says");
  }
  const Setting player = parse_player_words(shell_text(words), {});
  Setting::List command;
  for (const std::string& word : command_in(engine, shell_words(a.run))) {
    command.push_back(player.with(word));
  }
  Setting::Table table = player.table();
  table.insert(table.begin() + 1, Setting::of_command_line("program", std::move(command)));
  return player.with(std::move(table));
}

/// Files of openings are looked for where the command is given, not beside the experiment.
std::string openings_of(const TestFlags& a) {
  constexpr std::string_view file = "file:";
  if (!a.openings.starts_with(file)) return a.openings;
  return std::string(file) + fs::absolute(user_path(a.openings.substr(file.size()))).string();
}

bool is_in_utf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
  return true;
}

/// Whether a folder may be made and written into.
bool can_have(const fs::path& folder) {
  fs::path there = fs::absolute(folder);
  std::error_code ignored;
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  return fs::is_directory(there, ignored) && ::access(there.c_str(), W_OK | X_OK) == 0;
}

/// The match as an experiment file has it.
Setting experiment_of(const TestFlags& a, const std::array<EngineBuild, 2>& engines,
                      const po::variables_map& flags) {
  Setting::Table out;
  out.push_back(Setting::of_command_line(
      "name", engines[0].commit.short_id() + "-" + engines[1].commit.short_id()));
  out.push_back(Setting::of_command_line("game", a.game));
  out.push_back(Setting::of_command_line("games", a.games));
  out.push_back(Setting::of_command_line("openings", openings_of(a)));
  for (const auto& row : match_rows) {
    if (auto value = given_setting(flags, row)) out.push_back(std::move(*value));
  }
  Setting::Table rule =
      sprt_words(a.is_non_regression ? std::string(non_regression_rule) : a.sprt).table();
  out.push_back(Setting::of_command_line("sprt", std::move(rule)));
  out.push_back(Setting::of_command_line(
      "player", Setting::List{player_of(a, engines[0], "new", a.of_new),
                              player_of(a, engines[1], "base", a.of_base)}));
  return Setting::of_command_line("", std::move(out));
}

void check(const TestFlags& a, const po::variables_map& flags) {
  for (const auto& [name, value] : {std::pair<const char*, const std::string&>{"base", a.base},
                                    {"run", a.run},
                                    {"speaks", a.speaks},
                                    {"game", a.game},
                                    {"out", a.out}}) {
    require(!value.empty(), "--" + std::string(name) + " is missing");
  }
  const std::vector<std::string> words = shell_words(a.run);
  require(!words.empty() && !words.front().empty(), "--run names no program");
  require(!has_pattern(a.run), "--run: quote * ? [ as the engine is to have them");
  require(!a.is_non_regression || flags["sprt"].defaulted(),
          "--sprt and --non-regression are two tests; choose one");
}

/// The work of a test, step by step.
class Test {
 public:
  Test(const TestFlags& flags, const po::variables_map& given)
      : a_(flags),
        repository_(user_path(flags.repository)),
        builds_({.cache = flags.cache.empty() ? environment::cache_folder() / "builds"
                                              : fs::absolute(user_path(flags.cache)),
                 .command = flags.build}),
        folder_(user_path(flags.out)) {
    for (const std::string& path : {builds_.cache.string(), openings_of(a_)}) {
      require(is_in_utf8(path), "the path " + printable(path, 300) +
                                    " is not in UTF-8, as a file of an experiment needs it");
    }
    for (const std::size_t i : {0, 1}) test_.commits[i] = commit_of(i == 0 ? a_.newer : a_.base);
    engines_ = {build_of(test_.commits[0], builds_), build_of(test_.commits[1], builds_)};
    const Setting settings = experiment_of(a_, engines_, given);
    file_ = experiment_file_of(settings);  // mistakes come before anything is built
    text_ = toml_text(settings);
    file_ = parse_experiment(text_, (folder_ / file_name).string());
    read_given(given, rows_of_run, file_);
    file_.folder = folder_;
    describe();
  }

  int run() {
    std::cerr << "new        " << test_.commits[0].text() << "\n"
              << "base       " << test_.commits[1].text() << std::endl;
    if (test_.commits[0].tree == test_.commits[1].tree) {
      return end(TestVerdict::undecided, "both commits hold the same files");
    }
    // Fails before an hour of building rather than after it.
    require(can_have(folder_), "--out: there can be no folder " + folder_.string());
    static_cast<void>(Ledger(folder_, file_.experiment));
    fs::create_directories(folder_);  // reports may lie there
    test_.why = "the same command continues the test";
    write_reports(nullptr);
    try {
      if (!prepare()) return interrupted();
    } catch (const EngineUnfit& unfit) {
      return end(TestVerdict::failed, unfit.what());
    }
    if (is_same_program_ && !a_.plays_same) {
      return end(TestVerdict::undecided,
                 "both commits build the same program, byte for byte; if it reads files that "
                 "differ, say --play-same");
    }
    return play();
  }

 private:
  static constexpr const char* file_name = "experiment.toml";

  [[nodiscard]] Commit commit_of(const std::string& name) const {
    std::vector<fs::path> ours{folder_, builds_.cache};
    for (const std::string& file : {a_.markdown, a_.json}) {
      if (!file.empty()) ours.push_back(user_path(file));
    }
    return repository_.commit_of(name, ours);
  }

  void describe() {
    const Match& match = file_.experiment.matches.front();
    auto& out = test_.settings;
    if (!a_.build.empty()) out.emplace_back("build", a_.build);
    out.emplace_back("run", a_.run + ", speaks " + a_.speaks);
    for (const auto& [name, words] :
         {std::pair<const char*, const std::vector<std::string>&>{"options of both", a_.both},
          {"of new", a_.of_new},
          {"of base", a_.of_base}}) {
      if (!words.empty()) out.emplace_back(name, shell_text(words));
    }
    out.emplace_back("game", rules_text(match));
    out.emplace_back("openings", match.openings.text());
    out.emplace_back("seed", std::to_string(match.seed));
    out.emplace_back("games", "at most " + std::to_string(match.games));
    out.emplace_back("test", sprt_text(*file_.experiment.sprt));
  }

  /// Builds both and looks at them; false if a signal came.
  bool prepare() {
    const Interruption interruption;
    const auto& stop = interruption.flag();
    const auto note = [](const std::string& text) { std::cerr << text << std::endl; };
    for (const EngineBuild& engine : engines_) {
      if (!build(engine, builds_, repository_, stop, note)) return false;
    }
    const Match& match = file_.experiment.matches.front();
    const SearchChecks checks =
        check_searches(match, engines_, shell_words(a_.run).front(), a_.bench, stop);
    if (stop) return false;
    is_same_program_ = checks.is_same_program;
    test_.remarks = remarks_on(checks, match);
    for (const std::string& remark : test_.remarks) note("note: " + remark);
    return true;
  }

  int play() {
    const Conduct conduct = conduct_of(file_);
    replace_file(folder_ / file_name, text_);
    Experiment beginning = file_.experiment;
    int& games = beginning.matches.front().games;
    games = std::min(games, first_rounds * beginning.matches.front().round());
    const std::int64_t played = Ledger(folder_, file_.experiment).games();
    if (played <= games) {
      std::optional<RunEnd> end = run_with_display(beginning, conduct);
      if (!end) return exit_stopped;
      const bool has_more = goes_on(*end);
      if (has_more && end->is_asked_to_end) end->kind = RunEnd::Kind::interrupted;
      if (!has_more || end->is_asked_to_end) return conclude(conduct, *end);
      tell_length(end->contents.results.matches().front());
    }
    const std::optional<RunEnd> end = run_with_display(file_.experiment, conduct);
    return end ? conclude(conduct, *end) : exit_stopped;
  }

  /// Whether the engines have played the same moves in all rounds.
  static bool play_alike(const LedgerContents& contents) {
    const int rounds = contents.results.matches().front().standings().rounds();
    return rounds > 0 && rounds_alike(contents) == rounds;
  }

  /// Whether the first rounds leave the question open, or the user wants it asked on.
  [[nodiscard]] bool goes_on(const RunEnd& end) const {
    const Results& results = end.contents.results;
    return end.kind == RunEnd::Kind::complete && !results.has_given_up() &&
           results.matches().front().verdict() == SprtVerdict::undecided &&
           results.games() < file_.experiment.games() &&
           (a_.plays_same || !play_alike(end.contents));
  }

  /// Says how long the test may last, as the first rounds scatter.
  static void tell_length(const MatchResults& match) {
    const double deviation = deviation_of_game(match.standings().scores());
    if (deviation <= 0) return;
    const auto compared = compared_scores(*match.sprt(), deviation);
    if (!compared) return;
    const auto games = [&](double score) {
      return std::ceil(expected_length(*match.sprt(), score, deviation).games);
    };
    std::cerr << format(
        "note: the test takes some %.0f games if elo0 or elo1 is true, %.0f half "
        "way between\n",
        std::max(games(compared->low), games(compared->high)),
        games((compared->low + compared->high) / 2));
  }

  int conclude(const Conduct& conduct, const RunEnd& run) {
    const auto [code, unwritten] = conclude_run(conduct, run);
    if (!unwritten.empty()) test_.remarks.push_back("records are missing: " + unwritten);
    const Results& results = run.contents.results;
    TestVerdict verdict = verdict_of(results);
    std::string why;
    if (verdict == TestVerdict::failed) why = no_results_of(results).front();
    if (!why.empty() && why.ends_with('.')) why.pop_back();
    if (verdict == TestVerdict::undecided && play_alike(run.contents)) {
      why = "both play the same moves: in each of " +
            std::to_string(results.matches().front().standings().rounds()) +
            " rounds all games are alike";
      if (results.games() < file_.experiment.games()) why += "; --play-same plays on";
    }
    if (verdict != TestVerdict::failed && run.kind != RunEnd::Kind::complete) {
      verdict = TestVerdict::unfinished;
      why = run.why;
    }
    const int own = end(verdict, why, &run.contents);
    return verdict == TestVerdict::unfinished || !unwritten.empty() ? code : own;
  }

  /// Says what the test has come to, and writes it down. Returns the exit code.
  int end(TestVerdict verdict, const std::string& why, const LedgerContents* contents = nullptr) {
    test_.verdict = verdict;
    test_.why = why;
    std::cout << "verdict    " << name_of(verdict)
              << (why.empty() ? "" : ": " + why.substr(0, why.find('\n'))) << std::endl;
    if (verdict == TestVerdict::failed) std::cerr << "failed: " << why << std::endl;
    try {
      write_reports(contents);
    } catch (const UserError& failure) {
      std::cerr << "failed: " << failure.what() << std::endl;
      return exit_stopped;
    }
    switch (verdict) {
      case TestVerdict::better:
        return exit_better;
      case TestVerdict::not_better:
        return exit_not_better;
      case TestVerdict::undecided:
        return exit_undecided;
      case TestVerdict::failed:
      case TestVerdict::unfinished:
        break;
    }
    return exit_stopped;
  }

  /// Throws UserError.
  void write_reports(const LedgerContents* contents) const {
    if (!a_.markdown.empty()) {
      replace_file(user_path(a_.markdown), markdown_text(test_document(test_, contents)));
    }
    if (!a_.json.empty()) {
      replace_file(
          user_path(a_.json),
          test_json(test_, contents).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
              "\n");
    }
  }

  static int interrupted() {
    std::cerr << "interrupted; the same command continues the test\n";
    return exit_interrupted;
  }

  const TestFlags& a_;
  GitRepository repository_;
  BuildSettings builds_;
  fs::path folder_;
  CommitTest test_;
  std::array<EngineBuild, 2> engines_;
  ExperimentFile file_;
  std::string text_;
  bool is_same_program_ = false;
};

}  // namespace

int test_command(const std::vector<std::string>& arguments) {
  TestFlags flags;
  const po::options_description options = describe(flags);
  const auto given = read_flags("test", test_usage, options, arguments);
  if (!given) return 0;
  check(flags, *given);
  return Test(flags, *given).run();
}

}  // namespace pitboss::clients
