#include <boost/program_options.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/books/book.hpp"
#include "clients/books/trial.hpp"
#include "clients/experiments/best_preset.hpp"
#include "clients/experiments/counted.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/play_experiment.hpp"
#include "clients/pitboss/position_searches.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/record_files.hpp"
#include "games/rules_text.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr std::string_view books_usage =
    "Makes two books of a game: openings that are worth about the same to all sides, and openings\n"
    "that favour one. It draws random openings, has each searched, and has two players of unlike\n"
    "strength play those that are chosen. The same command with the same --out goes on where it\n"
    "was stopped. See docs/experiment-file.md#books.\n\n"
    "  pitboss books breakthrough --out run/books/breakthrough\n"
    "  pitboss referee ... --openings file:run/books/breakthrough/balanced.txt\n\n";

/// Each run leaves it in its folder.
constexpr const char* lock_name = "books.lock";

struct BooksFlags {
  std::string out;
  int turns = 2;
  int candidates = 4000;
  int balanced = 1000;
  int biased = 500;
  double within = 10;
  double bias = 25;
  std::string preset;
  std::int64_t simulations = 400;
  std::string trial_preset;
  std::int64_t trial_simulations = 1000;
  int rounds = 1;
  std::int64_t seed = 1;
  ServerFlags servers;
  int concurrency = 8;
};

po::options_description describe(BooksFlags& a) {
  po::options_description all("Options", 100, 50);
  const auto number = [](auto& value) { return po::value(&value)->default_value(value); };
  auto add = all.add_options();
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the books, a new one at first");
  add("turns", number(a.turns)->value_name("N"),
      "random moves of each side; more where there are too few such openings");
  add("candidates", number(a.candidates)->value_name("N"),
      "openings to choose from, no two alike by symmetry");
  add("balanced", number(a.balanced)->value_name("N"), "openings in the first book at most");
  add("biased", number(a.biased)->value_name("N"), "openings in the second book at most");
  add("within", number(a.within)->value_name("PERCENT"),
      "how far from a fair share values are in the first book, and from --bias in the second");
  add("bias", number(a.bias)->value_name("PERCENT"),
      "how far from a fair share values are in the second book");
  add("preset", po::value(&a.preset)->value_name("NAME"),
      "of the search (default: network where the game has one, else reference or uct)");
  add("simulations", number(a.simulations)->value_name("N"), "of each search");
  add("trial-simulations", number(a.trial_simulations)->value_name("N"),
      "of the stronger player of the trial; the other has half");
  add("trial-preset", po::value(&a.trial_preset)->value_name("NAME"),
      "of both players of the trial (default: reference or uct)");
  add("rounds", number(a.rounds)->value_name("N"), "of the trial on each opening");
  add("seed", number(a.seed)->value_name("S"), "of which everything derives");
  a.servers.add_to(all);
  add("concurrency", number(a.concurrency)->value_name("N"), "games of the trial at once");
  add("help", "this text");
  return all;
}

void check(const BooksFlags& a) {
  require(!a.out.empty(), "--out must name a folder");
  // A line without moves is no opening of a file.
  require(a.turns >= 1 && a.turns <= most_turns,
          "--turns must be from 1 to " + std::to_string(most_turns));
  for (const auto& [name, value, least] :
       {std::tuple<const char*, std::int64_t, int>{"candidates", a.candidates, 1},
        {"balanced", a.balanced, 1},
        {"biased", a.biased, 0},
        {"simulations", a.simulations, 1},
        {"trial-simulations", a.trial_simulations, 2},
        {"rounds", a.rounds, 1},
        {"seed", a.seed, 1},
        {"concurrency", a.concurrency, 1}}) {
    require(value >= least && value <= 1'000'000'000,
            "--" + std::string(name) + " must be from " + std::to_string(least) + " to 1000000000");
  }
  require(a.candidates <= 1'000'000, "--candidates must be at most 1000000");
  require(a.rounds <= 1000, "--rounds must be at most 1000");
  require(a.within > 0 && a.within < 50, "--within must be above 0 and below 50");
  require(a.bias > 0 && a.bias < 100, "--bias must be above 0 and below 100");
  require(a.within < a.bias || a.biased == 0,
          "--within must be below --bias, or the second book has openings that favour nobody");
}

/// Everything that the command does, in one folder.
class Books {
 public:
  Books(const BooksFlags& flags, std::string game)
      : a_(flags), game_(std::move(game)), folder_(user_path(flags.out)) {
    Match match;
    set_game(match, game_);
    start_ = match.initial_position();
    options_ = search_options(a_.preset, a_.simulations, {"exact=off"});
    static_cast<void>(search_options(a_.trial_preset, a_.trial_simulations, {}));  // throws
    std::error_code error;
    fs::create_directories(folder_, error);
    require(!error, "cannot create " + folder_.string() + ": " + error.message());
    require(fs::is_empty(folder_) || fs::exists(folder_ / lock_name),
            folder_.string() + " has files, and no books: --out must name a new folder");
  }

  int run() {
    const auto lock = try_lock(folder_ / lock_name);
    require(lock.has_value(), "another command is writing to " + folder_.string());
    const auto candidates =
        draw_openings(*start_, a_.turns, static_cast<std::size_t>(a_.candidates), a_.seed);
    candidates_ = candidates.size();
    std::cout << counted(candidates_, "candidate") << " of " << games::rules_text(*start_)
              << std::endl;
    std::vector<BookOpening> openings;
    if (const auto stopped = search(candidates, openings)) return *stopped;
    choose(openings);
    return try_out();
  }

 private:
  /// Has the positions after all candidates searched. Returns the exit code if that was stopped.
  std::optional<int> search(const std::vector<DrawnOpening>& candidates,
                            std::vector<BookOpening>& openings) {
    const std::string rules = games::rules_text(*start_);
    std::vector<GamePosition> questions;
    for (const DrawnOpening& candidate : candidates)
      questions.push_back({rules, candidate.position});
    FindingsFile file(
        folder_ / "positions.jsonl",
        {{"version", 1}, {"options", text_of(options_)}, {"seed", a_.seed}, {"lines", 1}});
    std::vector<std::string> refused;
    {
      const Interruption interruption;
      const ReviewSearch search{.options = options_, .seed = a_.seed, .lines = 1};
      if (const auto stopped =
              search_missing(a_.servers, search, questions, file, interruption, refused)) {
        return stopped;
      }
    }
    require(refused.empty(), refused.empty() ? "" : refused.front());
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      openings.push_back({candidates[i], file.findings().at(questions[i]).values});
    }
    judge_ = file.presets().contains(rules) ? file.presets().at(rules) : a_.preset;
    return std::nullopt;
  }

  void choose(const std::vector<BookOpening>& openings) {
    const auto add = [&](const char* name, double bias, int count) {
      auto book =
          openings_of_bias(openings, bias / 100, a_.within / 100, static_cast<std::size_t>(count));
      std::cout << name << ": " << counted(book.size(), "opening") << std::endl;
      if (!book.empty()) books_.push_back({name, std::move(book)});
    };
    add("balanced", 0, a_.balanced);
    require(!books_.empty(), "no opening is balanced: --within and --turns say what may be");
    add("biased", a_.bias, a_.biased);
  }

  /// Plays the trial, writes the books, and tells what they are good for.
  int try_out() {
    const SearchServers servers(a_.servers);
    const std::string preset(a_.trial_preset.empty() ? best_preset(*start_, {}) : a_.trial_preset);
    const Experiment experiment = trial_of(books_, {.game = game_,
                                                    .options = {{"preset", preset}},
                                                    .simulations = a_.trial_simulations,
                                                    .rounds = a_.rounds,
                                                    .random_turns = a_.turns,
                                                    .seed = a_.seed,
                                                    .server = servers.addresses().front()});
    Conduct conduct;
    conduct.folder = folder_ / "trial";
    conduct.concurrency = a_.concurrency;
    const std::optional<RunEnd> end = run_with_display(experiment, conduct);
    if (!end) return exit_stopped;
    if (end->kind != RunEnd::Kind::complete) {
      std::cerr << (end->kind == RunEnd::Kind::interrupted ? "interrupted" : "stopped: " + end->why)
                << "; the same command goes on\n";
      return end->kind == RunEnd::Kind::interrupted ? exit_interrupted : exit_stopped;
    }
    const auto failures = no_results_of(end->contents.results);
    for (const std::string& why : failures) std::cerr << "failed: " << why << "\n";
    if (!failures.empty()) return exit_stopped;
    count_trials(books_, end->contents);
    const auto& matches = end->contents.results.matches();
    for (std::size_t i = 0; i < books_.size(); ++i) {
      write(books_[i], facts_of(i, matches, preset));
    }
    std::cout << terminal_text({"", {{"", {table_of(end->contents)}}}});
    return 0;
  }

  using Facts = std::vector<std::pair<std::string, std::string>>;

  [[nodiscard]] Facts facts_of(std::size_t book, const std::vector<MatchResults>& matches,
                               const std::string& preset) const {
    const Scores& scores = matches[book].standings().scores();
    const auto needed = games_needed(scores, matches.back().standings().scores());
    return {{"drawn", format("%zu random openings of %d turns and more of each side, seed %d",
                             candidates_, a_.turns, static_cast<int>(a_.seed))},
            {"values", "by colour, preset " + judge_ + ", " + std::to_string(a_.simulations) +
                           " simulations"},
            {"trial", "preset " + preset + ", " + std::to_string(a_.trial_simulations) +
                          " simulations against " + std::to_string(a_.trial_simulations / 2) +
                          "; normalized Elo " + elo_text(normalized_elo_estimate(scores))},
            {"games that a test needs",
             needed ? needed_text(*needed) + " of those with random:" + std::to_string(a_.turns)
                    : "not known"}};
  }

  static std::string needed_text(const GamesNeeded& needed) {
    return format("%.0f %% ", 100 * needed.share) + percent_text(needed.interval, 0);
  }

  void write(const NamedBook& book, const Facts& facts) const {
    const fs::path file = folder_ / (book.name + ".txt");
    replace_file(file, book_text(*start_, facts, book.openings));
    std::cout << file.string() << "\n";
  }

  [[nodiscard]] DataTable table_of(const LedgerContents& contents) const {
    const auto& matches = contents.results.matches();
    DataTable table{.name = "books",
                    .columns = {{"openings", "openings"},
                                {"games", "games"},
                                {"drawn", "drawn %", Form::percent, 1},
                                {"one_colour", "one side wins all %", Form::percent, 1},
                                {"score", "stronger %", Form::percent, 1},
                                {"", "normalized Elo"},
                                {"", "% of the games of random openings"}}};
    const Scores& random = matches.back().standings().scores();
    for (std::size_t i = 0; i < matches.size(); ++i) {
      const Standings& standings = matches[i].standings();
      const bool is_book = i < books_.size();
      const auto needed = games_needed(standings.scores(), random);
      table.rows.push_back(
          {is_book ? books_[i].name : "random:" + std::to_string(a_.turns), standings.games(),
           static_cast<double>(standings.tally(0).draws) / std::max(standings.games(), 1),
           share_of_one_colour(contents, static_cast<int>(i)), standings.scores().mean(),
           elo_text(standings.normalized_elo()),
           !is_book ? "100"
           : needed ? needed_text(*needed)
                    : "-"});
    }
    return table;
  }

  const BooksFlags& a_;
  std::string game_;
  fs::path folder_;
  std::unique_ptr<games::AnyGame> start_;
  std::vector<engine::Assignment> options_;
  std::size_t candidates_ = 0;  ///< how many were drawn
  std::string judge_;           ///< the preset whose search tells values
  std::vector<NamedBook> books_;
};

}  // namespace

int books_command(const std::vector<std::string>& arguments) {
  BooksFlags flags;
  std::vector<std::string> words;
  if (!read_flags("books", books_usage, describe(flags), arguments, &words)) return 0;
  require(!words.empty(), "expected a game; see pitboss books --help");
  std::string game;
  for (const std::string& word : words) game += (game.empty() ? "" : " ") + word;
  check(flags);
  return Books(flags, game).run();
}

}  // namespace pitboss::clients
