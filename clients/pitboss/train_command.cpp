#include "clients/pitboss/commands.hpp"

#include <atomic>
#include <boost/program_options.hpp>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <iostream>
#include <mutex>
#include <thread>
#include <utility>

#include "clients/experiments/match.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/training/train.hpp"
#include "clients/training/training_document.hpp"
#include "clients/training/training_progress.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using environment::AwakeClock;
namespace po = boost::program_options;

constexpr std::string_view train_usage =
    "Trains a network by self-play, generation after generation. The same command, or --out "
    "alone,\n"
    "continues what was interrupted. See docs/training.md.\n\n"
    "  pitboss train --game connect4 --out run/connect4\n"
    "  pitboss train --out run/connect4                         goes on with it\n"
    "  pitboss train --game hex --quick --out run/hex           a first network in minutes\n"
    "  pitboss train --out run/connect4 --minutes 30            goes on for half an hour\n"
    "  pitboss train --settings my.toml --out run/mine\n"
    "  pitboss train --game hex --from strong.safetensors --out run/stronger\n"
    "  pitboss train --game hex --print-settings                what a file of settings says\n\n";

struct TrainFlags {
  std::string game;
  std::string settings;
  std::string out;
  std::string from;
  int threads = 0;
  double minutes = 0;
  bool is_quick = false;
  bool prints_settings = false;
};

po::options_description describe(TrainFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&a.game)->value_name("NAME"),
      "the game, perhaps with parameters: \"hex size=7\"; with the settings of data/training/, if "
      "there are some for it");
  add("settings", po::value(&a.settings)->value_name("FILE"), "a file of settings (TOML)");
  add("out", po::value(&a.out)->value_name("DIR"), "folder of the run");
  add("from", po::value(&a.from)->value_name("FILE"),
      "begin with this network, not with random weights; with --game or --settings");
  add("quick", po::bool_switch(&a.is_quick),
      "a weaker network, in minutes: fewer games and simulations; with --game");
  add("minutes", po::value(&a.minutes)->value_name("N"),
      "end after about N minutes; the same command goes on (default: when all is done)");
  add("threads", po::value(&a.threads)->value_name("N"),
      "that play (default: number of processors)");
  add("print-settings", po::bool_switch(&a.prints_settings),
      "only print the settings that would be used");
  add("help", "this text");
  return all;
}

TrainingSettings settings_of(const TrainFlags& a) {
  if (!a.settings.empty()) {
    if (a.is_quick) throw UserError("--quick is for --game; a file of --settings has its own");
    if (!a.game.empty()) throw UserError("--settings names the game; leave --game out");
    return training_settings(read_settings(a.settings));
  }
  Match match;
  set_game(match, a.game);
  const fs::path file = data_folder() / "training" / (match.game + ".toml");
  TrainingSettings settings;
  if (fs::exists(file)) settings = training_settings(read_settings(file));
  settings.game = rules_text(match);
  return a.is_quick ? quick(std::move(settings)) : settings;
}

/// The run, and the Python for it if that had to be looked for: before a folder is made for
/// nothing.
std::pair<RunFolder, std::string> run_of(const TrainFlags& a) {
  if (a.out.empty()) throw UserError("--out must name a folder");
  if (a.game.empty() && a.settings.empty()) {
    if (a.is_quick) throw UserError("--quick begins a run: it needs --game");
    if (!a.from.empty()) {
      throw UserError("--from begins a run: it needs --game or --settings");
    }
    return {RunFolder::open(a.out), ""};
  }
  const TrainingSettings settings = settings_of(a);
  std::string python = RunFolder::is_run(a.out) ? "" : find_learner();
  return {RunFolder::make(a.out, settings, a.from), std::move(python)};
}

/// Sets the interruption's flag after some minutes, unless it is destroyed before.
class TimeLimit {
 public:
  /// 0 minutes: never.
  TimeLimit(Interruption& interruption, double minutes) {
    if (minutes == 0) return;
    waiting_ = std::jthread([this, &interruption, minutes](const std::stop_token& stop) {
      std::unique_lock lock(mutex_);
      const std::chrono::duration<double, std::ratio<60>> time(minutes);
      end_.wait_until(lock, stop,
                      AwakeClock::now() + std::chrono::duration_cast<AwakeClock::duration>(time),
                      [] { return false; });
      if (stop.stop_requested()) return;
      is_over_ = true;
      interruption.set();
    });
  }
  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  std::mutex mutex_;
  std::condition_variable_any end_;
  std::atomic<bool> is_over_ = false;
  std::jthread waiting_;  ///< destroyed first
};

int train_in(const RunFolder& run, const TrainingMeans& means, double minutes) {
  Interruption interruption;
  const TimeLimit limit(interruption, minutes);
  TrainingProgress progress(run);
  const int first = run.last_generation() + 1;
  if (first <= run.settings().generations) {
    progress.note(run.settings().game + ": generations " + std::to_string(first) + " to " +
                  std::to_string(run.settings().generations) + " with " +
                  std::to_string(means.threads) + " threads, in " + run.path().string());
  }
  TrainingListener listener;
  listener.on_self_play = [&](int g, const Played& played) { progress.self_play(g, played); };
  listener.on_learning = [&](int g, double share) { progress.learning(g, share); };
  listener.on_evaluation = [&](int g, int games, int of) { progress.evaluation(g, games, of); };
  listener.on_note = [&](const std::string& sentence) { progress.note(sentence); };
  listener.on_generation = [&](int g) {
    progress.generation(g);
    write_training_report(run);
  };
  try {
    if (train(run, means, interruption.flag(), listener)) {
      progress.note("done: " + run.network(run.settings().generations).string() + ", " +
                    (run.path() / "report.html").string());
      return 0;
    }
  } catch (const UserError& failure) {
    progress.note("stopped: " + std::string(failure.what()));
    return exit_stopped;
  }
  const std::string goes_on = "; pitboss train --out " + run.path().string() + " goes on";
  if (limit.is_over()) {
    progress.note("the time is over: " + run.network(run.last_generation()).string() +
                  " is the newest network" + goes_on);
    return 0;
  }
  progress.note("interrupted" + goes_on);
  return exit_interrupted;
}

}  // namespace

int train_command(const std::vector<std::string>& arguments) {
  TrainFlags flags;
  const po::options_description options = describe(flags);
  if (!read_flags("train", train_usage, options, arguments)) return 0;
  constexpr double most_minutes = 1e6;
  if (!(flags.minutes >= 0 && flags.minutes <= most_minutes)) {
    throw UserError("--minutes must be from 0, for no bound, to 1e6");
  }
  flags.threads = threads_given(flags.threads);
  if (flags.prints_settings) {
    if (flags.game.empty() && flags.settings.empty())
      throw UserError("--game or --settings is missing");
    std::cout << settings_text(settings_of(flags));
    return 0;
  }
  auto [run, python] = run_of(flags);
  return train_in(run, {flags.threads, std::move(python)}, flags.minutes);
}

}  // namespace pitboss::clients
