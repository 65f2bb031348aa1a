#pragma once

#include <chrono>
#include <string>

#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

/// What a step of a generation took on the computer that drives the run.
struct StepTime {
  double seconds = 0;            ///< wall clock
  double processor_seconds = 0;  ///< of all threads and of the programs that were started

  /// Share of the time of so many processors that the step kept busy, 0 to 1; 0 if it took none.
  [[nodiscard]] double busy_share(int processors) const;
  StepTime& operator+=(const StepTime& other);
};

/// The times of a generation. A step that was interrupted has the sum of its sittings, less those
/// that were killed.
struct StepTimes {
  int processors = 1;  ///< threads of the last sitting
  StepTime self_play;
  StepTime learning;
  StepTime evaluation;
};

/// Takes the time of one step, from its making on.
class StepClock {
 public:
  StepClock() : begin_(std::chrono::steady_clock::now()), processor_begin_(processor_seconds()) {}
  [[nodiscard]] StepTime time() const;

 private:
  /// Of this process and of all the children that have ended.
  [[nodiscard]] static double processor_seconds();

  std::chrono::steady_clock::time_point begin_;
  double processor_begin_;
};

/// The times of a generation so far; zeros if none are known. A file that is damaged counts as
/// none.
[[nodiscard]] StepTimes read_step_times(const RunFolder& run, int generation);
/// Adds a sitting's time to one step's. Throws UserError if the file cannot be written.
void add_step_time(const RunFolder& run, int generation, StepTime StepTimes::*step,
                   const StepTime& time, int processors);

}  // namespace pitboss::clients
