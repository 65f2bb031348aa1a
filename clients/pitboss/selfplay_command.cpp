#include "clients/pitboss/commands.hpp"

#include <boost/program_options.hpp>
#include <chrono>
#include <iostream>
#include <thread>

#include "clients/experiments/address.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/training/self_play.hpp"
#include "clients/training/training_progress.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr std::string_view selfplay_usage =
    "Plays games for a training run, beside the pitboss train that drives it, on this machine or "
    "on\n"
    "another one that sees the run's folder. Goes on until the run is over. See "
    "docs/training.md.\n\n"
    "  pitboss selfplay --run run/connect4\n\n";

struct SelfPlayFlags {
  std::string run;
  int generation = 0;
  int threads = 0;
  engine::EvaluatorSettings evaluators;
};

po::options_description describe(SelfPlayFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("run", po::value(&a.run)->value_name("DIR"), "folder of the run");
  add("generation", po::value(&a.generation)->value_name("G"),
      "play this generation and end (default: each that comes)");
  add("threads", po::value(&a.threads)->value_name("N"),
      "threads that play (default: number of processors)");
  add("evaluator", po::value(&a.evaluators.urls)->composing()->value_name("URL"),
      "have the network evaluated there, grpc://HOST:PORT or grpcs://HOST:PORT; may be repeated; "
      "many threads fill its batches");
  add("evaluator-ca", po::value(&a.evaluators.ca_file)->value_name("FILE"),
      "certificates that grpcs:// trusts (default: the system's)");
  add("evaluator-token", po::value(&a.evaluators.token_file)->value_name("FILE"),
      "has the token that evaluators are shown, to other machines by grpcs:// only (default: "
      "none)");
  add("evaluator-proxy", po::value(&a.evaluators.proxy)->value_name("URL"),
      "http://HOST:PORT, the proxy to evaluators on other machines (default: none)");
  add("help", "this text");
  return all;
}

/// The work of this process for one run.
class Helper {
 public:
  Helper(const RunFolder& run, Resources resources)
      : run_(run), resources_(std::move(resources)), progress_(run) {}

  /// Plays the missing games of a generation; returns whether all games are there.
  bool play(int generation, const std::atomic<bool>& stop) {
    Played all;
    const bool is_whole =
        play_generation(run_, generation, resources_, stop, [&](const Played& played) {
          all = played;
          progress_.self_play(generation, played);
        });
    if (all.games > 0) progress_.note(sentence_of(generation, all));
    return is_whole;
  }

  /// Plays each generation as soon as the one before is learned.
  bool play_all(const std::atomic<bool>& stop) {
    progress_.note("helping " + run_.path().string() + ", " + run_.settings().game + ", with " +
                   std::to_string(resources_.threads) + " threads, until it is over");
    while (!stop) {
      const int generation = run_.last_generation() + 1;
      if (generation > run_.settings().generations) {
        progress_.note("the run is over");
        return true;
      }
      if (play(generation, stop)) std::this_thread::sleep_for(std::chrono::milliseconds(500));
    }
    return false;
  }

 private:
  [[nodiscard]] std::string sentence_of(int generation, const Played& played) const {
    std::string text = "generation " + std::to_string(generation) + ": " +
                       std::to_string(played.games) + " games played here";
    if (!resources_.evaluators) return text;
    return text + ", " + std::to_string(played.remote) + " of " +
           std::to_string(played.evaluations) + " evaluations by other machines";
  }

  const RunFolder& run_;
  const Resources resources_;
  TrainingProgress progress_;
};

}  // namespace

int selfplay(const std::vector<std::string>& arguments) {
  SelfPlayFlags flags;
  const po::options_description options = describe(flags);
  if (!read_flags("selfplay", selfplay_usage, options, arguments)) return 0;
  if (flags.run.empty()) throw UserError("--run must name the folder of a run");
  flags.threads = threads_given(flags.threads);
  const RunFolder run = RunFolder::open(flags.run);
  if (flags.generation < 0 || flags.generation > run.last_generation() + 1) {
    throw UserError("--generation must be from 1 to " + std::to_string(run.last_generation() + 1) +
                    ", the next to be played");
  }
  const Interruption interruption;
  Resources resources{flags.threads};
  if (!flags.evaluators.urls.empty()) {
    try {
      resources.evaluators = engine::make_evaluator_client(flags.evaluators);
    } catch (const std::runtime_error& error) {
      throw UserError(error.what());
    }
    warn_of_others(flags.evaluators.token_file);
  }
  Helper helper(run, resources);
  const auto& stop = interruption.flag();
  const bool is_whole =
      flags.generation == 0 ? helper.play_all(stop) : helper.play(flags.generation, stop);
  return is_whole ? 0 : exit_interrupted;
}

}  // namespace pitboss::clients
