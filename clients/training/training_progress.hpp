#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "clients/training/run_folder.hpp"
#include "clients/training/self_play.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// The work of the generations after `last`, as a multiple of that from `first` to `last`, by the
/// simulations of self-play; 0 if nothing is left, or nothing was made.
[[nodiscard]] double work_left(const RunFolder& run, int first, int last);

/// Shows the progress of a training run: a line for each generation, and within a generation a line
/// that changes on a terminal; elsewhere it is written when nothing else was for a while. Not
/// thread-safe.
class TrainingProgress {
 public:
  explicit TrainingProgress(const RunFolder& run, std::FILE* out = stderr,
                            std::chrono::milliseconds a_while = std::chrono::seconds(30));
  ~TrainingProgress() { clear(); }
  TrainingProgress(const TrainingProgress&) = delete;
  TrainingProgress& operator=(const TrainingProgress&) = delete;

  void self_play(int generation, const Played& played);
  void learning(int generation, double share);
  void evaluation(int generation, int games, int of);
  /// Shows a finished generation's figures, and the estimated time for the remaining generations.
  void generation(int generation);
  void note(const std::string& sentence);

 private:
  using AwakeClock = environment::AwakeClock;
  /// Shows how far a step of a generation is: `done` of `all`, which `text` tells.
  void step(int generation, const char* name, double done, double all, const std::string& text);
  void show(const std::string& line);
  void clear();
  [[nodiscard]] std::string time_left(int generation) const;

  const RunFolder& run_;
  std::FILE* out_;
  bool is_live_;
  const std::chrono::milliseconds a_while_;
  bool is_shown_ = false;
  AwakeClock::time_point written_ = AwakeClock::now();  ///< the last line
  /// The step that goes on, since when, and how much of it was done then.
  std::string step_;
  AwakeClock::time_point step_begun_;
  double step_done_ = 0;
  AwakeClock::time_point begun_ = AwakeClock::now();
  int done_before_;  ///< generations done when this object was made
};

}  // namespace pitboss::clients
