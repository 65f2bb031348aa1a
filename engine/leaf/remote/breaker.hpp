#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "environment/awake_clock.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// Keeps requests away from a server that has failed: `open` after a failure, `trial` after a probe
/// that succeeded, `closed` after a request that did. Each failure in a row doubles the time to the
/// next probe, from 0.1 s to 5 s, a quarter more or less, so that clients do not come all at once.
class Breaker {
 public:
  using TimePoint = environment::AwakeClock::time_point;
  enum class State : std::uint8_t { closed, open, trial };

  explicit Breaker(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool lets_through() const { return state_ != State::open; }
  /// When an open one is to be probed.
  [[nodiscard]] TimePoint probe_at() const { return probe_at_; }

  void failed(TimePoint now) {
    state_ = State::open;
    constexpr int most_doublings = 7;
    const auto pause =
        std::min(first_pause * (1 << std::min(failures_++, most_doublings)), longest);
    probe_at_ = now + pause * (75 + random_.below(51)) / 100;
  }
  void probed() { state_ = State::trial; }
  void succeeded() {
    state_ = State::closed;
    failures_ = 0;
  }

  static constexpr std::chrono::milliseconds first_pause{100};
  static constexpr std::chrono::milliseconds longest{5'000};

 private:
  State state_ = State::closed;
  TimePoint probe_at_;
  int failures_ = 0;
  games::Random random_;
};

}  // namespace pitboss::engine
