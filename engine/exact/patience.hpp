#pragma once

#include <cstdint>
#include <stop_token>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// How long a solver may go on: until a time, or until it is told to stop.
class Patience {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  explicit Patience(TimePoint end, std::stop_token stop = {}) : end_(end), stop_(std::move(stop)) {}

  /// Counts a position that was looked at. Looks at the clock after every thousandth, so about each
  /// tenth of a millisecond.
  [[nodiscard]] bool ends_with_position() {
    if ((++positions_ & 1023U) == 0) {
      has_ended_ = stop_.stop_requested() || environment::AwakeClock::now() >= end_;
    }
    return has_ended_;
  }
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] std::uint64_t positions() const { return positions_; }

 private:
  TimePoint end_;
  std::stop_token stop_;
  std::uint64_t positions_ = 0;
  bool has_ended_ = false;
};

}  // namespace pitboss::engine
