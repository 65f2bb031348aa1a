#include "clients/training/training_progress.hpp"

#include <algorithm>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/training/evaluation.hpp"
#include "clients/training/learner.hpp"
#include "clients/training/manifest.hpp"
#include "clients/training/step_times.hpp"
#include "environment/terminal.hpp"

namespace pitboss::clients {

namespace {

/// The simulations that self-play of a generation takes, if positions have so many legal moves.
double cost_of(const TrainingSettings& settings, int generation, int moves) {
  const SearchStage stage = stage_of(settings, generation);
  const double share = settings.self_play.full_share;
  const int full = full_simulations(settings.self_play, stage, moves);
  return games_of(settings, generation) * (share * full + (1 - share) * stage.fast);
}

std::string comparison_text(const Comparison& one) {
  const std::string score = format(", %.1f %% ", 100 * one.score) + percent_text(one.interval);
  EloEstimate elo{elo_of(one.score), elo_of(one.interval.low), elo_of(one.interval.high)};
  return score + " against " + one.opponent + " (" + elo_phrase(elo) + ")";
}

std::string time_text(const char* step, double seconds, double processor_seconds, int processors) {
  if (seconds == 0) return "";
  std::string text = ", " + std::string(step) + " " + duration_text(seconds);
  if (processor_seconds == 0) return text;
  return text + format(" (%.0f %% busy)", 100 * busy_share(processor_seconds, seconds, processors));
}

}  // namespace

double work_left(const RunFolder& run, int first, int last) {
  const auto moves = static_cast<int>(run.start()->legal_moves().size());
  double made = 0;
  double left = 0;
  for (int g = first; g <= run.settings().generations; ++g) {
    (g <= last ? made : left) += cost_of(run.settings(), g, moves);
  }
  return made > 0 ? left / made : 0;
}

TrainingProgress::TrainingProgress(const RunFolder& run, std::FILE* out,
                                   std::chrono::milliseconds a_while)
    : run_(run),
      out_(out),
      is_live_(environment::screen_of(out).has_value()),
      a_while_(a_while),
      done_before_(run.last_generation()) {}

void TrainingProgress::self_play(int generation, const Played& played) {
  step(generation, "self-play", played.games, played.of,
       format("%d games of %d here", played.games, played.of));
}

void TrainingProgress::learning(int generation, double share) {
  step(generation, "learning", share, 1, format("%.0f %%", 100 * share));
}

void TrainingProgress::evaluation(int generation, int games, int of) {
  step(generation, "evaluation", games, of, format("%d games of %d", games, of));
}

void TrainingProgress::step(int generation, const char* name, double done, double all,
                            const std::string& text) {
  const auto now = AwakeClock::now();
  const std::string title =
      format("generation %d of %d: %s", generation, run_.settings().generations, name);
  if (title != step_) {
    step_ = title;
    step_begun_ = now;
    step_done_ = done;
  }
  std::string line = title + ", " + text;
  if (done > step_done_ && done < all) {
    const std::chrono::duration<double> seconds = now - step_begun_;
    line +=
        ", about " + duration_text(seconds.count() * (all - done) / (done - step_done_)) + " left";
  }
  show(line);
}

void TrainingProgress::generation(int generation) {
  std::string line = format("generation %d of %d", generation, run_.settings().generations);
  if (const auto played = read_manifest(run_, generation)) {
    line += format(": %d games, %d rows, %.0f simulations/s a thread", played->games, played->rows,
                   static_cast<double>(played->simulations) / played->thread_seconds);
  }
  const auto learned = read_learned(run_, generation);
  if (learned) {
    line += format(", losses %.3f policy, %.3f value", learned->policy_loss, learned->value_loss);
    if (learned->held_out_policy_loss && learned->held_out_value_loss) {
      line += format(" (held out %.3f, %.3f)", *learned->held_out_policy_loss,
                     *learned->held_out_value_loss);
    }
    line += format(", network's entropy %.2f, %.0f samples/s", learned->network_entropy,
                   learned->samples_per_second);
  }
  if (const auto evaluation = read_evaluation(run_, generation)) {
    for (const Comparison& one : *evaluation) line += comparison_text(one);
  }
  const StepTimes times = read_step_times(run_, generation);
  const double learner_busy = learned ? learned->processor_seconds.value_or(0) : 0;
  line += time_text("self-play", times.self_play, times.self_play_busy, times.processors);
  line += time_text("learning", times.learning, learner_busy, times.processors);
  note(line + time_left(generation));
}

std::string TrainingProgress::time_left(int generation) const {
  const double left = work_left(run_, done_before_ + 1, generation);
  if (left == 0) return "";
  const std::chrono::duration<double> seconds = AwakeClock::now() - begun_;
  return ", about " + duration_text(seconds.count() * left) + " left";
}

void TrainingProgress::note(const std::string& sentence) {
  clear();
  std::fprintf(out_, "%s\n", sentence.c_str());
  std::fflush(out_);
  written_ = AwakeClock::now();
}

void TrainingProgress::show(const std::string& line) {
  if (!is_live_) {
    if (AwakeClock::now() - written_ >= a_while_) note(line);
    return;
  }
  // A line that goes on below cannot be erased.
  const auto width = environment::screen_of(out_).value_or(environment::Screen()).width;
  const auto shown = line.substr(0, static_cast<std::size_t>(std::max(width - 1, 1)));
  std::fprintf(out_, "\r\x1b[K%s", shown.c_str());
  std::fflush(out_);
  is_shown_ = true;
}

void TrainingProgress::clear() {
  if (is_shown_) std::fputs("\r\x1b[K", out_);
  is_shown_ = false;
}

}  // namespace pitboss::clients
