#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace pitboss::clients {

/// Counts durations in classes one percent wide, from a microsecond to about twenty minutes, so
/// that memory does not grow with their number.
class Latencies {
 public:
  using Duration = std::chrono::nanoseconds;

  void add(Duration latency);
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] Duration longest() const { return longest_; }
  /// The duration that a share of all durations, in [0, 1], does not exceed, to within a percent;
  /// zero without durations.
  [[nodiscard]] Duration quantile(double share) const;

 private:
  std::array<std::int64_t, 2100> classes_{};
  std::int64_t count_ = 0;
  Duration longest_{};
};

}  // namespace pitboss::clients
