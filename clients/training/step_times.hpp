#pragma once

#include <chrono>

#include "clients/training/run_folder.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// The durations of a generation's steps on the computer that drives the run, in seconds of the
/// wall clock. An interrupted step has the sum of its sittings, without those that were killed.
struct StepTimes {
  int processors = 1;  ///< threads of the last sitting
  double self_play = 0;
  double self_play_busy = 0;  ///< processor seconds of self-play's threads in that time
  double learning = 0;        ///< LearnedFigures tells the processor time of this step
  double evaluation = 0;

  /// Adds other times and takes over their `processors`.
  StepTimes& operator+=(const StepTimes& other);
};

/// The share of the time of `processors` processors that was used, in [0, 1]; 0 if `seconds` is 0.
[[nodiscard]] double busy_share(double processor_seconds, double seconds, int processors);

/// Measures the time of one step, from its construction on.
class StepClock {
 public:
  StepClock() : begin_(environment::AwakeClock::now()), processor_begin_(processor_time()) {}
  [[nodiscard]] double seconds() const;
  /// Of all threads of this process; child processes do not count.
  [[nodiscard]] double processor_seconds() const { return processor_time() - processor_begin_; }

 private:
  [[nodiscard]] static double processor_time();

  environment::AwakeClock::time_point begin_;
  double processor_begin_;
};

/// The times of a generation so far; zeros if they are unknown or the file is damaged.
[[nodiscard]] StepTimes read_step_times(const RunFolder& run, int generation);
/// Adds a sitting's times. Throws UserError if the file cannot be written.
void add_step_times(const RunFolder& run, int generation, const StepTimes& sitting);

}  // namespace pitboss::clients
