#pragma once

#include <functional>
#include <thread>

namespace pitboss::server {

/// Catches SIGTERM and SIGINT, on a thread of its own: the first stops, the second ends the process
/// at once, with the exit code that shells give for the signal. If asked to, catches SIGHUP, too,
/// which else ends the process. To be made before any other thread, which inherit that they do not
/// get these signals.
class Signals {
 public:
  explicit Signals(bool catches_hangup = false);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  /// From now on. Once.
  void call(
      std::function<void()> on_stop, std::function<void()> on_hangup = [] {});

 private:
  bool catches_hangup_;
  std::jthread thread_;
};

}  // namespace pitboss::server
