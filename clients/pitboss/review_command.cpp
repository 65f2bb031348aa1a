#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/counted.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/position_searches.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/dry_run.hpp"
#include "clients/review/findings_file.hpp"
#include "clients/review/review_files.hpp"
#include "clients/review/search_positions.hpp"
#include "games/records/record_file.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;
using environment::AwakeClock;

constexpr std::string_view review_usage =
    "Searches the positions of recorded games, tells their mistakes and turning points, and\n"
    "writes the games with values and better lines as SGF, JSON and a page for a browser. The\n"
    "same command with the same --out goes on where it was stopped. See\n"
    "docs/analysis.md#games-reviewed.\n\n"
    "  pitboss review games.sgf --out run/review         SGF, GGF, PSQ; FILE:N the Nth game\n"
    "  pitboss review run/first --out run/review         a ledger, or a folder of records\n"
    "  pitboss review games.sgf --out run/review --simulations 1000 --server 127.0.0.1:4580\n"
    "                                                    at a daemon; else one of its own\n\n";

/// Of a dry run: how many positions are searched at most, and for how long.
constexpr std::size_t most_sampled = 400;
constexpr double sampling_seconds = 5;

struct ReviewFlags {
  std::string game;
  std::string out;
  ServerFlags servers;
  std::string preset;
  std::int64_t simulations = 200;
  std::vector<std::string> settings;
  std::int64_t seed = 1;
  double mistake = 10;
  double lead = 10;
  int lines = 3;
  bool is_dry_run = false;
};

po::options_description describe(ReviewFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the review, a new one at first");
  add("game", po::value(&a.game)->value_name("NAME"),
      "the game of records that do not tell theirs, perhaps with parameters: \"othello size=6\"; "
      "records of other games are left out");
  add("preset", po::value(&a.preset)->value_name("NAME"),
      "of the search (default: network where the game has one, else reference or uct)");
  add("simulations", po::value(&a.simulations)->default_value(200)->value_name("N"),
      "of each position");
  add("set", po::value(&a.settings)->composing()->value_name("NAME=VALUE"),
      "another option of the search; repeatable");
  add("seed", po::value(&a.seed)->default_value(1)->value_name("S"),
      "of which that of each position derives");
  add("mistake", po::value(&a.mistake)->default_value(10)->value_name("PERCENT"),
      "from what loss of value on a move is a mistake");
  add("lead", po::value(&a.lead)->default_value(10)->value_name("PERCENT"),
      "by how much a player is ahead who leads; a turning point gives another one the lead");
  add("lines", po::value(&a.lines)->default_value(3)->value_name("N"),
      "moves that are told of each position, with the line behind them");
  a.servers.add_to(all);
  add("dry-run", po::bool_switch(&a.is_dry_run),
      "tell how many positions there are, and about how long they take");
  add("help", "this text");
  return all;
}

/// Throws UserError for a folder that holds something else.
void check_out(const fs::path& folder) {
  require(!fs::exists(folder) || fs::is_directory(folder), folder.string() + " is no folder");
  if (!fs::is_directory(folder) || fs::is_empty(folder)) return;
  // A review that was ended at once leaves its lock only.
  const auto is_lock = [](const fs::directory_entry& entry) {
    return entry.path().filename() == "review.lock";
  };
  require(fs::exists(folder / "positions.jsonl") ||
              std::ranges::all_of(fs::directory_iterator(folder), is_lock),
          folder.string() + " has files, and none is of a review: --out must name a new folder");
}

/// Throws UserError for games in the folder that a review writes its own to.
void check_places(const std::vector<std::string>& places, const fs::path& folder) {
  const fs::path written = fs::weakly_canonical(folder / "games");
  for (const std::string& place : places) {
    if (place.starts_with("postgresql://")) continue;
    const fs::path path = fs::weakly_canonical(games::file_and_game(place).file);
    require(path != written && path.parent_path() != written,
            place + " is where the review writes its games: --out must name another folder");
  }
}

ReviewSearch search_of(const ReviewFlags& a, const std::vector<engine::Assignment>& options) {
  return {.options = options, .seed = a.seed, .lines = static_cast<std::size_t>(a.lines)};
}

/// Of a collection's positions so many, evenly spaced.
std::vector<GamePosition> sample_of(const std::vector<GamePosition>& questions) {
  const std::size_t count = std::min(questions.size(), most_sampled);
  std::vector<GamePosition> sample;
  for (std::size_t i = 0; i < count; ++i) {
    sample.push_back(questions[i * questions.size() / count]);
  }
  return sample;
}

/// Searches some positions for a few seconds, and tells how long all take.
int dry_run(const ReviewFlags& a, const std::vector<engine::Assignment>& options,
            const std::vector<GamePosition>& questions, const Interruption& interruption) {
  const SearchServers servers(a.servers);
  ReviewSearch search = search_of(a, options);
  search.servers = servers.addresses();
  std::vector<AwakeClock::time_point> times;
  const auto seconds = [](AwakeClock::time_point from, AwakeClock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  };
  const auto begun = AwakeClock::now();
  ReviewEvents events;
  events.found = [&](const GamePosition&, const Finding&) { times.push_back(AwakeClock::now()); };
  events.note = [](const std::string& text) { std::cerr << text << "\n"; };
  events.gave_up = events.note;
  events.is_stopped = [&] {
    return interruption.flag() || seconds(begun, AwakeClock::now()) > sampling_seconds;
  };
  for (const std::string& why : search_positions(sample_of(questions), search, events)) {
    std::cout << "left out: " << why << "\n";
  }
  if (interruption.flag()) return exit_interrupted;
  if (times.size() < 2) {
    std::cout << "no estimate: " << counted(times.size(), "position")
              << format(" searched in %.1f s\n", seconds(begun, AwakeClock::now()));
    return 0;
  }
  const double speed =
      static_cast<double>(times.size() - 1) / std::max(seconds(times.front(), times.back()), 1e-6);
  std::cout << "about " << estimate_text(static_cast<double>(questions.size()) / speed) << ": "
            << format("%.1f positions/s, measured on ", speed) << times.size() << " of them\n";
  return 0;
}

ReviewFacts facts_of(const ReviewFlags& a, const std::vector<engine::Assignment>& options,
                     const std::vector<GamePosition>& questions, const FindingsFile& file) {
  std::set<std::string> all_rules;
  for (const GamePosition& question : questions) all_rules.insert(question.rules);
  std::string presets;
  for (const auto& [rules, preset] : file.presets()) {
    if (!all_rules.contains(rules)) continue;
    presets += presets.empty() ? ", by its game's best preset (" : ", ";
    presets += rules + ": " + preset;
  }
  if (!presets.empty()) presets += ")";
  return {.search = text_of(options) + "seed=" + std::to_string(a.seed) + presets,
          .thresholds = {.mistake = a.mistake / 100, .lead = a.lead / 100}};
}

int review(const ReviewFlags& a, const std::vector<std::string>& places) {
  const auto options = search_options(a.preset, a.simulations, a.settings);
  const fs::path folder = a.out.empty() ? fs::path() : user_path(a.out);
  if (!a.is_dry_run) {
    check_out(folder);
    check_places(places, folder);
  }
  const Interruption interruption;
  GamesOnFile read = games_on_file(places, a.game);
  for (const std::string& note : read.notes) std::cerr << "note: " << note << "\n";
  for (const std::string& why : read.left_out) std::cerr << "left out: " << why << "\n";
  require(!read.games.empty(), "there is no game to review");
  const auto questions = questions_of(read.games);
  std::cout << counted(read.games.size(), "game") << ", " << counted(questions.size(), "position")
            << std::endl;
  if (a.is_dry_run) return dry_run(a, options, questions, interruption);

  std::error_code error;
  fs::create_directories(folder, error);
  require(!error, "cannot create " + folder.string() + ": " + error.message());
  const auto lock = try_lock(folder / "review.lock");
  require(lock.has_value(), "another review is writing to " + folder.string());
  FindingsFile file(
      folder / "positions.jsonl",
      {{"version", 1}, {"options", text_of(options)}, {"seed", a.seed}, {"lines", a.lines}});
  std::vector<std::string> refused;
  if (const auto stopped = search_missing(a.servers, search_of(a, options), questions, file,
                                          interruption, refused)) {
    return *stopped;
  }
  for (const std::string& why : refused) std::cerr << "left out: " << why << "\n";
  ReviewFacts facts = facts_of(a, options, questions, file);
  facts.left_out = read.left_out;
  facts.left_out.insert(facts.left_out.end(), refused.begin(), refused.end());
  const auto games = reviewed(std::move(read.games), file.findings(), facts.thresholds);
  require(!games.empty(), "no game could be reviewed");
  std::string written;
  const int without_sgf = write_review(folder, games, facts, [&](const std::string& name) {
    written += (written.empty() ? "" : ", ") + name;
  });
  if (without_sgf > 0) {
    std::cout << counted(without_sgf, "game")
              << " without SGF, which has no other colours than black and white\n";
  }
  std::cout << folder.string() << ": " << written << "\n";
  return facts.left_out.empty() ? 0 : exit_stopped;
}

}  // namespace

int review_command(const std::vector<std::string>& arguments) {
  ReviewFlags flags;
  std::vector<std::string> places;
  if (!read_flags("review", review_usage, describe(flags), arguments, &places)) return 0;
  require(!places.empty(), "expected files with games; see pitboss review --help");
  require(flags.is_dry_run || !flags.out.empty(), "--out must name a folder");
  require(flags.mistake > 0 && flags.mistake <= 100, "--mistake must be above 0 and at most 100");
  require(flags.lead > 0 && flags.lead <= 100, "--lead must be above 0 and at most 100");
  require(flags.lines >= 1 && flags.lines <= 100, "--lines must be from 1 to 100");
  require(flags.seed >= 1, "--seed must be at least 1");
  return review(flags, places);
}

}  // namespace pitboss::clients
