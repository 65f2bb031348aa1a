#pragma once

#include <chrono>

#include "environment/awake_clock.hpp"

namespace pitboss::server {

/// When a search shows itself while it runs: 100, 200 and 400 ms after it has begun, and then every
/// 500 ms. A late picture replaces those that it has missed.
class PictureTimes {
 public:
  using SteadyClock = environment::AwakeClock;

  explicit PictureTimes(SteadyClock::time_point begun) : begun_(begun) {}

  [[nodiscard]] SteadyClock::time_point next() const { return begun_ + next_; }
  [[nodiscard]] bool is_due(SteadyClock::time_point now) const { return now >= next(); }
  /// A picture has been made.
  void made(SteadyClock::time_point now) {
    while (is_due(now)) next_ = after(next_);
  }

 private:
  using Milliseconds = std::chrono::milliseconds;
  static constexpr Milliseconds first{100};
  static constexpr Milliseconds last_doubled{400};
  static constexpr Milliseconds interval{500};

  static constexpr Milliseconds after(Milliseconds time) {
    return time < last_doubled ? 2 * time : time + interval;
  }

  SteadyClock::time_point begun_;
  Milliseconds next_ = first;
};

}  // namespace pitboss::server
