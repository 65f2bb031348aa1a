#pragma once

#include <algorithm>
#include <chrono>

namespace pitboss::engine {

/// Says when a searching thread reads the clock, which costs about 25 ns: after as many simulations
/// as take about 50 us, at most 16. Where a playout takes a millisecond, sixteen would be too late
/// for a move of 25 ms.
class Pace {
 public:
  explicit Pace(std::chrono::steady_clock::time_point now) : looked_(now) {}

  /// Whether to read the clock. To be called once after every simulation.
  [[nodiscard]] bool is_due() { return ++made_ >= between_; }
  /// The clock has been read.
  void looked(std::chrono::steady_clock::time_point now) {
    constexpr std::chrono::microseconds enough(25);
    constexpr std::chrono::microseconds too_much(100);
    const auto taken = now - looked_;
    if (taken > too_much) between_ = std::max(between_ / 2, 1);
    if (taken < enough) between_ = std::min(between_ * 2, most);
    looked_ = now;
    made_ = 0;
  }

 private:
  static constexpr int most = 16;

  std::chrono::steady_clock::time_point looked_;
  int between_ = 1;  ///< simulations from one reading to the next
  int made_ = 0;     ///< simulations since the last reading
};

}  // namespace pitboss::engine
