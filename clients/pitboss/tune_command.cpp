#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <span>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/setting_flags.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/dry_run.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/progress_display.hpp"
#include "clients/results/record_files.hpp"
#include "clients/tuning/tried_games.hpp"
#include "clients/tuning/tuning_document.hpp"
#include "clients/tuning/tuning_run.hpp"
#include "environment/awake_clock.hpp"
#include "environment/machine.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;
using environment::AwakeClock;
using nlohmann::ordered_json;

constexpr std::string_view tune_usage =
    "Looks for the options with which a player plays best. The same command with the same --out\n"
    "continues what was interrupted. See docs/tuning.md.\n\n"
    "  pitboss tune --experiment FILE.toml --out DIR\n\n";

/// The answer does not depend on it.
constexpr std::span concurrency_row(run_rows.data(), 1);

struct TuneFlags {
  std::string experiment;
  TuningChoice choice;
  std::string out;
  AccessFlags access;
  bool is_dry_run = false;
};

po::options_description describe(TuneFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("experiment", po::value(&a.experiment)->value_name("FILE"),
      "the game, the players, and in [tune] what is tuned and how");
  add("game", po::value(&a.choice.game)->value_name("GAME"),
      "the game, of a file with more than one");
  add("player", po::value(&a.choice.player)->value_name("NAME"),
      "the player that is tuned, instead of the one that the file names");
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the records and the answer");
  add_flags(all, concurrency_row, ExperimentFile());
  a.access.add_to(all);
  add("dry-run", po::bool_switch(&a.is_dry_run),
      "only say how many games would be played, how long they may take, and what to expect");
  add("help", "this text");
  return all;
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

/// What the tuning will cost and be worth; its time by some moves of each player.
std::string prediction_text(const PlannedTuning& plan, std::int64_t played) {
  const Prediction prediction = predict(plan.space, plan.settings, plan.start_loss);
  Experiment moves{"", {}, std::nullopt};
  if (plan.is_self_play()) {
    moves.matches.push_back(plan.file.itself);
  } else {
    moves.matches = plan.file.file.experiment.matches;
  }
  std::string text = "player      " + plan.file.itself.players[0].name + " at " +
                     plan.file.itself.game + ", against " + opponents_text(moves.matches) + "\n";
  for (std::size_t i = 0; i < plan.space.size(); ++i) {
    text += "parameter   " + plan.space[i].name + ", before tuning " +
            plan.settings.conditions.start[i] + ": " + text_of(plan.space[i]) + "\n";
  }
  text += "games       " + std::to_string(prediction.games) + " at most";
  if (played > 0) text += ", " + std::to_string(played) + " are played";
  text += "; proposals in flight " + std::to_string(lag_of(plan.space, plan.settings));
  const std::int64_t left = std::max<std::int64_t>(prediction.games - played, 0);
  if (left > 0) {
    const std::string load = load_text(environment::load(), environment::processors());
    const MoveCosts costs = measure_costs(moves, make_engine);
    const int in_flight = lag_of(plan.space, plan.settings) * games_per_proposal(plan.settings);
    double one_by_one = 0;
    double together = 0;
    int most_at_once = 0;
    bool is_known = true;
    for (std::size_t i = 0; i < moves.matches.size(); ++i) {
      const Match& match = moves.matches[i];
      const auto all = estimated_seconds(match, costs[i], mean_plies(match));
      is_known = is_known && all.has_value();
      if (!all) continue;
      const double seconds = *all / match.games * static_cast<double>(left) /
                             static_cast<double>(moves.matches.size());
      const int at_once = std::min(games_at_once(plan.file.file, match, costs[i]), in_flight);
      one_by_one += seconds;
      together += seconds / at_once;
      most_at_once = std::max(most_at_once, at_once);
    }
    text += "\ntime        ";
    text += is_known ? estimate_text(together) + " with " + std::to_string(most_at_once) +
                           (most_at_once == 1 ? " search" : " searches") + " at once, " +
                           estimate_text(one_by_one) +
                           " one after the other, on an idle machine; while it runs, by the speed "
                           "of its own games"
                     : "unknown";
    text += "\n" + load;
  } else {
    text += "\n";
  }
  text += "loss        ";
  text += prediction.loss ? rounded(prediction.loss->mean) + " Elo on average, below " +
                                rounded(prediction.loss->bound) + " with 95 %. "
                          : "unknown. ";
  text += prediction.basis + "\n";
  if (!prediction.warning.empty()) text += "warning     " + prediction.warning + "\n";
  return text;
}

/// Lines of a log: after the first games, and then one in ten seconds. The time left is that of the
/// speed since the run began, which load and other games at once have slowed.
class TuningDisplay {
 public:
  TuningDisplay(const SearchSpace& space, ProgressDisplay& lines) : space_(space), lines_(lines) {}

  void update(const TuningProgress& progress) {
    const auto now = AwakeClock::now();
    if (before_ < 0) {
      before_ = progress.games;
      begin_ = now;
      next_ = now + std::chrono::seconds(10);
      return;
    }
    const bool is_first = !has_begun_ && progress.games - before_ >= first_games;
    if (!is_first && now < next_) return;
    has_begun_ = true;
    next_ = now + std::chrono::seconds(10);
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    std::string text =
        std::to_string(progress.games) + "/" + std::to_string(progress.of) + " games";
    if (const double speed = static_cast<double>(progress.games - before_) / seconds; speed > 0) {
      text += ", " + rounded(speed) + " a second, " +
              estimate_text(static_cast<double>(progress.of - progress.games) / speed) + " left";
    }
    lines_.note(text + "; so far " + text_of(space_, progress.answer));
  }

 private:
  static constexpr std::int64_t first_games = 40;

  const SearchSpace& space_;
  ProgressDisplay& lines_;
  bool has_begun_ = false;
  std::int64_t before_ = -1;
  AwakeClock::time_point begin_{};
  AwakeClock::time_point next_{};
};

/// The tuned player's options as a file that `preset` takes.
std::string preset_text(const PlannedTuning& plan, const Values& answer) {
  const Player player = with_values(plan.file.itself.players[0], plan.space, answer);
  std::string text;
  for (const auto& [name, value] : player.options) {
    text += ordered_json(name).dump() + " = " + ordered_json(value).dump() + "\n";
  }
  return text;
}

/// The tuned player's options as words of `--player`.
std::string option_line(const PlannedTuning& plan, const Values& answer) {
  std::string text;
  for (const auto& [name, value] :
       with_values(plan.file.itself.players[0], plan.space, answer).options) {
    text += (text.empty() ? "" : " ") + name + "=" + value;
  }
  return text;
}

/// The answer's match against the player as it was; null if they are the same.
const MatchResults* match_against_start(const PlannedTuning& plan, const TuningEnd& end,
                                        const Results* results) {
  const bool is_start = end.answer == plan.settings.conditions.start;
  return results == nullptr || is_start ? nullptr : &results->matches().front();
}

std::string summary_text(const PlannedTuning& plan, const TuningEnd& end, const Results* results,
                         const std::string& match_name) {
  ordered_json best;
  ordered_json start;
  for (std::size_t i = 0; i < plan.space.size(); ++i) {
    best[plan.space[i].name] = end.answer[i];
    start[plan.space[i].name] = plan.settings.conditions.start[i];
  }
  ordered_json out{{"best", best},          {"start", start},
                   {"games", end.games},    {"score", nullptr},
                   {"interval", nullptr},   {"matches", ordered_json::array()},
                   {"match", nullptr},      {"options", option_line(plan, end.answer)},
                   {"remarks", end.remarks}};
  if (results != nullptr) {
    out["match"] = match_name;
    for (const MatchResults& match : results->matches()) {
      const Tally tally = match.standings().tally(0);
      const Interval interval = score_interval(tally.points(), tally.games());
      out["matches"].push_back({{"against", match.match().players[1].name},
                                {"games", tally.games()},
                                {"score", tally.score()},
                                {"interval", {interval.low, interval.high}}});
    }
  }
  if (match_against_start(plan, end, results) != nullptr) {
    out["score"] = out["matches"][0]["score"];
    out["interval"] = out["matches"][0]["interval"];
  }
  return out.dump(2) + "\n";
}

int ended(RunEnd::Kind kind, const std::string& why) {
  if (kind == RunEnd::Kind::stopped) {
    std::cerr << "stopped: " << why << "; the same command continues the tuning\n";
    return exit_stopped;
  }
  std::cerr << "interrupted; the same command continues the tuning\n";
  return exit_interrupted;
}

/// Of games that engines have lost by breaking down.
int failed(const std::vector<std::string>& reasons) {
  for (const std::string& why : reasons) std::cerr << "failed: " << why << "\n";
  return exit_stopped;
}

/// The folder of the answer's match: "match", or if that has another answer's, from before the
/// tuning went on, "match-2" and so on.
std::filesystem::path match_folder(const std::filesystem::path& folder, const Experiment& fresh) {
  for (int n = 1;; ++n) {
    auto path = folder / (n == 1 ? "match" : "match-" + std::to_string(n));
    if (!std::filesystem::exists(ledger_path(path))) return path;
    const Experiment there = read_experiment(path);
    if (std::ranges::equal(there.matches, fresh.matches, {}, match_id, match_id)) return path;
  }
}

/// What SPSA's last proposals and its answer say of the steps.
std::optional<std::string> step_remark(const PlannedTuning& plan,
                                       const std::filesystem::path& folder,
                                       const Results& results) {
  const auto* const spsa = std::get_if<SpsaSettings>(&plan.settings.method);
  if (spsa == nullptr || plan.is_self_play()) return std::nullopt;
  Scored answer;
  for (const MatchResults& match : results.matches()) {
    if (match.match().players[1].name == plan.file.itself.players[0].name) continue;
    const Tally tally = match.standings().tally(0);
    answer.points += tally.points();
    answer.games += tally.games();
  }
  const Experiment recorded = read_plan(folder);
  std::vector<TriedGame> games = tried_games(recorded, Ledger(folder, recorded).played());
  games.resize(
      std::min(games.size(), static_cast<std::size_t>(games_of(plan.space, plan.settings))));
  Scored proposals;  // of the last third, a time constant
  for (const TriedGame& game : std::span(games).subspan(games.size() * 2 / 3)) {
    proposals.points += game.share;
    ++proposals.games;
  }
  return remark_on_steps(*spsa, static_cast<int>(plan.space.size()), proposals, answer);
}

/// Whether the answer's match against the player as it was says that the tuning did harm.
std::optional<std::string> harm_remark(const PlannedTuning& plan, const TuningEnd& end,
                                       const Results& results) {
  const MatchResults* const match = match_against_start(plan, end, &results);
  if (match == nullptr) return std::nullopt;
  const Tally tally = match->standings().tally(0);
  if (score_interval(tally.points(), tally.games()).high >= 0.5) return std::nullopt;
  return "the answer loses to the player as it was: keep that, and try more games or another "
         "method.";
}

int tune(const PlannedTuning& plan, Conduct conduct) {
  ProgressDisplay progress;
  conduct.handles_signals = true;
  conduct.on_note = [&](const std::string& text) { progress.note(text); };
  TuningDisplay display(plan.space, progress);
  TuningEnd end = run_tuning(
      plan, conduct,
      [&](std::int64_t played) { std::cout << prediction_text(plan, played) << std::flush; },
      [&](const TuningProgress& so_far) { display.update(so_far); });
  if (!end.no_result.empty()) return failed({end.no_result});
  if (end.kind != RunEnd::Kind::complete) return ended(end.kind, end.why);
  std::cout << "answer      " << text_of(plan.space, end.answer) << "\n";
  for (const std::string& remark : end.remarks) std::cout << "note        " << remark << "\n";

  const std::filesystem::path folder = conduct.folder;
  replace_file(folder / "tuned.toml", preset_text(plan, end.answer));
  const Experiment fresh = plan.fresh_match(end.answer);
  std::string match_name = "match";
  std::optional<RunEnd> match;
  if (!fresh.matches.empty()) {
    conduct.folder = match_folder(folder, fresh);
    match_name = conduct.folder.filename().string();
    conduct.on_progress = [&](const Results& results) { progress.update(results); };
    match = run_experiment(fresh, conduct);
    progress.finish();
    write_records(conduct.folder, match->contents, [](const std::string&) {});
    if (match->kind != RunEnd::Kind::complete) return ended(match->kind, match->why);
    const Results& results = match->contents.results;
    std::cout << summary_table(results);
    if (const auto why = no_results_of(results); !why.empty()) return failed(why);
    for (const auto& remark :
         {step_remark(plan, folder, results), harm_remark(plan, end, results)}) {
      if (!remark) continue;
      std::cout << "note        " << *remark << "\n";
      end.remarks.push_back(*remark);
    }
  } else {
    std::cout << "match       none: the answer is the player as it was\n";
  }
  const Results* const results = match ? &match->contents.results : nullptr;
  replace_file(folder / "summary.json", summary_text(plan, end, results, match_name));
  replace_file(folder / "report.html", html_page(tuning_document(folder)));
  std::cout << "records     " << folder.string() << ": tuning.sqlite, " << match_name
            << ", tuned.toml, report.html, summary.json\n"
            << "use         preset=" << (folder / "tuned.toml").string() << "\n";
  return 0;
}

}  // namespace

int tune_command(const std::vector<std::string>& arguments) {
  TuneFlags values;
  const auto given = read_flags("tune", tune_usage, describe(values), arguments);
  if (!given) return 0;
  require(!values.experiment.empty(), "--experiment is missing");
  for (const char* const flag : {"game", "player"}) {
    const auto& value = (*given)[flag];
    require(value.empty() || !value.as<std::string>().empty(),
            std::string("--") + flag + " is empty");
  }
  PlannedTuning plan = read_tuning(values.experiment, values.choice);
  Conduct conduct;
  conduct.folder = plan.file.file.folder;
  if (!values.out.empty()) conduct.folder = values.out;
  read_given(*given, concurrency_row, plan.file.file);
  conduct.concurrency = plan.file.file.concurrency;
  conduct.reconnect = plan.file.file.reconnect;
  for (const ServerCapacity& server : plan.file.file.servers) {
    if (server.games > 0) conduct.capacities[text_of(server.location)] = server.games;
  }
  const Access access = values.access.read();
  use_access(plan.file.file.experiment, access);
  Experiment itself{"", {plan.file.itself}, std::nullopt};
  use_access(itself, access);
  plan.file.itself = itself.matches.front();
  if (values.is_dry_run) {
    std::cout << prediction_text(plan, 0);
    return 0;
  }
  require(!conduct.folder.empty(), "--out must name a folder");
  return tune(plan, conduct);
}

}  // namespace pitboss::clients
