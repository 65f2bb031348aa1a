#pragma once

#include <atomic>

namespace pitboss::clients {

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
