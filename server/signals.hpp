#pragma once

#include <functional>
#include <thread>

namespace pitboss::server {

/// Catches SIGTERM and SIGINT: the first calls `on_stop`, on a thread of its own; the second ends
/// the process at once, with the exit code that shells give for the signal. To be made before any
/// other thread, which inherit that they do not get these signals.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// From now on. Once.
  void call(std::function<void()> on_stop);

 private:
  std::jthread thread_;
};

}  // namespace pitboss::server
