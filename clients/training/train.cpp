#include "clients/training/train.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/training/as_user_error.hpp"
#include "clients/training/step_times.hpp"

namespace pitboss::clients {

namespace {

/// With fewer held-out rows, their loss is too noisy.
constexpr int least_held_out = 2000;

std::string compared(const char* what, double value, const char* relation, double bound) {
  std::array<char, 200> text;
  std::snprintf(text.data(), text.size(), "%s is %.3g, %s %.3g", what, value, relation, bound);
  return text.data();
}

/// Makes one generation after the other.
class Driver {
 public:
  Driver(const RunFolder& run, TrainingMeans means, const std::atomic<bool>& stop,
         const TrainingListener& listener)
      : run_(run), means_(std::move(means)), stop_(stop), listener_(listener) {}

  bool make(int generation) { return play(generation) && learned(generation); }

  /// Plays the games of a generation whose manifest is missing; false if it was interrupted.
  bool play(int generation) {
    while (!read_manifest(run_, generation)) {
      const bool is_whole = timed(generation, &StepTimes::self_play, [&] {
        return play_generation(
            run_, generation, {means_.threads}, stop_,
            [&](const Played& played) { listener_.on_self_play(generation, played); });
      });
      if (!is_whole) return false;
      write_manifest(run_, generation, listener_.on_note);
    }
    return true;
  }

  /// Throws UserError if a finished generation has gone wrong.
  void check(int generation) const {
    const auto played = read_manifest(run_, generation);
    const auto figures = read_learned(run_, generation);
    if (!played || !figures) return;
    const std::string reason = abort_reason(run_.settings().abort, *played, *figures);
    if (reason.empty()) return;
    throw UserError("generation " + std::to_string(generation) + " has gone wrong: " + reason +
                    "; [abort] in " + (run_.path() / "settings.toml").string() +
                    " has the bounds, and may be changed; pitboss train --out " +
                    run_.path().string() + " goes on");
  }

  /// Evaluates a finished generation if the settings ask for it; false if it was interrupted.
  bool evaluated(int generation) {
    if (!is_evaluated(run_.settings(), generation)) return true;
    if (read_evaluation(run_, generation)) return true;
    return timed(generation, &StepTimes::evaluation, [&] {
      return evaluate(run_, generation, means_.threads,
                      [&](int games, int of) { listener_.on_evaluation(generation, games, of); });
    });
  }

 private:
  bool learned(int generation) {
    return timed(generation, &StepTimes::learning, [&] {
      return learn(run_, generation, means_.python, stop_,
                   [&](double share) { listener_.on_learning(generation, share); });
    });
  }

  /// Does a step of a generation, records its time, and returns the step's result.
  template <class Step>
  bool timed(int generation, double StepTimes::*step, Step&& work) {
    const StepClock clock;
    const bool is_whole = as_user_error(work);
    StepTimes sitting;
    sitting.processors = means_.threads;
    sitting.*step = clock.seconds();
    if (step == &StepTimes::self_play) sitting.self_play_busy = clock.processor_seconds();
    add_step_times(run_, generation, sitting);
    return is_whole;
  }

  const RunFolder& run_;
  const TrainingMeans means_;
  const std::atomic<bool>& stop_;
  const TrainingListener& listener_;
};

}  // namespace

std::string abort_reason(const AbortSettings& rules, const GenerationFigures& played,
                         const LearnedFigures& learned) {
  const double draws = played.draws / static_cast<double>(std::max(played.games, 1));
  const bool has_gap = learned.held_out_value_loss && learned.held_out_rows >= least_held_out;
  const double gap = has_gap ? *learned.held_out_value_loss - learned.value_loss : 0;
  if (learned.network_entropy < rules.policy_entropy) {
    return compared("the entropy of the network's policies", learned.network_entropy, "less than",
                    rules.policy_entropy);
  }
  if (played.distinct_openings < rules.distinct_openings) {
    return compared("the share of different openings", played.distinct_openings, "less than",
                    rules.distinct_openings);
  }
  if (draws > rules.draws) {
    return compared("the share of draws", draws, "more than", rules.draws);
  }
  if (gap > rules.value_gap) {
    return compared("the gap of the value's loss on held-out rows", gap, "more than",
                    rules.value_gap);
  }
  return "";
}

bool train(const RunFolder& run, const TrainingMeans& means, const std::atomic<bool>& stop,
           const TrainingListener& listener) {
  const FileLock lock = driver_lock(run.path());
  TrainingMeans found = means;
  const int finished = run.last_generation();
  const bool is_over = finished >= run.settings().generations;
  if (!is_over && found.python.empty()) found.python = find_learner();
  run.write_run_file();  // the settings may be newer than the file
  Driver driver(run, std::move(found), stop, listener);
  // The learner reads the rows of all generations; who has removed some has them played again.
  for (int generation = 1; !is_over && generation <= finished; ++generation) {
    if (!driver.play(generation)) return false;
  }
  for (int generation = finished;; ++generation) {
    // Finishes an interrupted evaluation first.
    if (generation > 0) {
      if (!driver.evaluated(generation)) return false;
      listener.on_generation(generation);
      driver.check(generation);
    }
    if (generation >= run.settings().generations) return true;
    if (stop || !driver.make(generation + 1)) return false;
  }
}

}  // namespace pitboss::clients
