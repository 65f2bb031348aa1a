#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "clients/training/run_folder.hpp"
#include "clients/training/self_play.hpp"

namespace pitboss::clients {

/// Shows the progress of a training run: a line for each generation and, on a terminal, one line
/// that changes. Not thread-safe.
class TrainingProgress {
 public:
  explicit TrainingProgress(const RunFolder& run, std::FILE* out = stderr);
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
  using SteadyClock = std::chrono::steady_clock;
  void show(const std::string& line);
  void clear();
  [[nodiscard]] std::string time_left(int generation) const;

  const RunFolder& run_;
  std::FILE* out_;
  bool is_live_;
  bool is_shown_ = false;
  SteadyClock::time_point begun_ = SteadyClock::now();
  int done_before_;  ///< generations done when this object was made
};

}  // namespace pitboss::clients
