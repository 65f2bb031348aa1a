#pragma once

#include <atomic>

namespace pitboss::clients {

/// Exit codes of commands that ended before their work was done.
constexpr int exit_stopped = 1;        ///< by a rule or a failure of its own
constexpr int exit_interrupted = 130;  ///< by SIGINT or SIGTERM

/// A flag that SIGINT and SIGTERM set, for work that checks it and soon ends; a second signal of
/// the same kind ends the process. The destructor restores the signals' default action. Only one
/// object at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Handles the signals again after other code has replaced the handlers.
  void listen();
  [[nodiscard]] const std::atomic<bool>& flag() const;
  /// Sets the flag, as a signal does. Any thread may call it.
  void set();
};

}  // namespace pitboss::clients
