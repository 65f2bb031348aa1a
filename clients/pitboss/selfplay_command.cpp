#include "clients/pitboss/selfplay_command.hpp"

#include <boost/program_options.hpp>
#include <chrono>
#include <iostream>
#include <thread>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/training/manifest.hpp"
#include "clients/training/self_play.hpp"
#include "clients/training/training_progress.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr int exit_interrupted = 130;

constexpr std::string_view usage =
    "Plays games for a training run, beside the pitboss train that drives it, on this machine or "
    "on\n"
    "another one that sees the run's folder. Goes on until the run is over. See "
    "docs/training.md.\n\n"
    "  pitboss selfplay --run run/connect4\n\n";

struct SelfPlayFlags {
  std::string run;
  int generation = 0;
  int threads = 0;
};

po::options_description describe(SelfPlayFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("run", po::value(&a.run)->value_name("DIR"), "folder of the run");
  add("generation", po::value(&a.generation)->value_name("G"),
      "play this generation and end (default: each that comes)");
  add("threads", po::value(&a.threads)->value_name("N"), "(default: number of processors)");
  add("help", "this text");
  return all;
}

/// Plays generation after generation, as soon as the one before is learned.
bool play_all(const RunFolder& run, int threads, const std::atomic<bool>& stop,
              TrainingProgress& progress) {
  while (!stop) {
    const int generation = run.last_generation() + 1;
    if (generation > run.settings().generations) return true;
    if (std::filesystem::exists(run.manifest(generation))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(500));  // it is being learned
      continue;
    }
    play_generation(run, generation, threads, stop,
                    [&](const Played& played) { progress.self_play(generation, played); });
  }
  return false;
}

}  // namespace

int selfplay(const std::vector<std::string>& arguments) {
  SelfPlayFlags flags;
  const po::options_description options = describe(flags);
  if (!read_flags("selfplay", usage, options, arguments)) return 0;
  if (flags.run.empty()) throw UserError("--run must name the folder of a run");
  if (flags.threads == 0) flags.threads = static_cast<int>(std::thread::hardware_concurrency());
  if (flags.threads < 1 || flags.threads > 1024) throw UserError("--threads must be 1 to 1024");
  const RunFolder run = RunFolder::open(flags.run);
  if (flags.generation < 0 || flags.generation > run.last_generation() + 1) {
    throw UserError("--generation must be 1 to " + std::to_string(run.last_generation() + 1) +
                    ", the next to be played");
  }
  const Interruption interruption;
  TrainingProgress progress(run);
  try {
    const bool is_whole = flags.generation == 0
                              ? play_all(run, flags.threads, interruption.flag(), progress)
                              : play_generation(run, flags.generation, flags.threads,
                                                interruption.flag(), [&](const Played& played) {
                                                  progress.self_play(flags.generation, played);
                                                });
    return is_whole ? 0 : exit_interrupted;
  } catch (const engine::BadNetwork& failure) {
    throw UserError(failure.what());
  }
}

}  // namespace pitboss::clients
