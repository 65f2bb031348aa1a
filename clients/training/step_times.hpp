#pragma once

#include <chrono>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// What the steps of a generation took on the computer that drives the run, in seconds of the wall
/// clock. A step that was interrupted has the sum of its sittings, less those that were killed.
struct StepTimes {
  int processors = 1;  ///< threads of the last sitting
  double self_play = 0;
  double self_play_busy = 0;  ///< processor seconds of self-play's threads in that time
  double learning = 0;        ///< how busy it was the learner says (LearnedFigures)
  double evaluation = 0;

  /// Adds other times; `processors` are those of the other ones.
  StepTimes& operator+=(const StepTimes& other);
};

/// Share of the time of so many processors that was used, 0 to 1; 0 of no time.
[[nodiscard]] double busy_share(double processor_seconds, double seconds, int processors);

/// Takes the time of one step, from its making on.
class StepClock {
 public:
  StepClock() : begin_(std::chrono::steady_clock::now()), processor_begin_(processor_time()) {}
  [[nodiscard]] double seconds() const;
  /// Of all threads of this process; programs that it has started do not count.
  [[nodiscard]] double processor_seconds() const { return processor_time() - processor_begin_; }

 private:
  [[nodiscard]] static double processor_time();

  std::chrono::steady_clock::time_point begin_;
  double processor_begin_;
};

/// The times of a generation so far; zeros if none are known. A file that is damaged counts as
/// none.
[[nodiscard]] StepTimes read_step_times(const RunFolder& run, int generation);
/// Adds a sitting's times. Throws UserError if the file cannot be written.
void add_step_times(const RunFolder& run, int generation, const StepTimes& sitting);

}  // namespace pitboss::clients
