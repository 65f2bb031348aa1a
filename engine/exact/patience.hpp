#pragma once

#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// So many positions, in one to five milliseconds, are looked at between two looks at other things.
/// A solver that is interrupted begins again with what its table knows: always after as many
/// positions, so that it depends on no clock what it finds in so many positions.
inline constexpr std::uint64_t positions_a_bite = 16384;

/// How long a solver may go on: until a time, for so many positions, or until it is told to stop.
class Patience {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  explicit Patience(TimePoint end, std::stop_token stop = {}, std::uint64_t positions = unbounded)
      : end_(end), stop_(std::move(stop)), most_(positions) {}

  /// Counts a position that was looked at. Asks whether this was the last one after every
  /// thousandth, so several times in a millisecond.
  [[nodiscard]] bool ends_with_position() {
    if ((++positions_ & 1023U) == 0) {
      has_ended_ =
          positions_ >= most_ || stop_.stop_requested() || environment::AwakeClock::now() >= end_;
    }
    return has_ended_;
  }
  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] std::uint64_t positions() const { return positions_; }

 private:
  static constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();

  TimePoint end_;
  std::stop_token stop_;
  std::uint64_t most_;
  std::uint64_t positions_ = 0;
  bool has_ended_ = false;
};

}  // namespace pitboss::engine
