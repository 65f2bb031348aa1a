#pragma once

#include <atomic>

namespace pitboss::clients {

/// Exit codes of commands that ended before their work was done.
constexpr int exit_stopped = 1;        ///< by a rule or a failure of its own
constexpr int exit_interrupted = 130;  ///< by SIGINT or SIGTERM

/// A flag that SIGINT and SIGTERM set, for work that ends by itself soon after; the same signal
/// once more ends the process. The signals have their default action again with this object's end.
/// One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Takes the signals over again, after somebody else has had them.
  void listen();
  [[nodiscard]] const std::atomic<bool>& flag() const;
};

}  // namespace pitboss::clients
