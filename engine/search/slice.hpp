#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>

#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// Processor time that the calling thread has used.
[[nodiscard]] inline std::chrono::nanoseconds thread_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

/// Says when a searching thread reads the clock, which costs about 25 ns: after as many simulations
/// as take about 50 us, at most 16. Where a playout takes a millisecond, sixteen would be too late
/// for a move of 25 ms.
class Pace {
 public:
  explicit Pace(environment::AwakeClock::time_point now) : looked_(now) {}

  /// Whether to read the clock. To be called once after every simulation.
  [[nodiscard]] bool is_due() { return ++made_ >= between_; }
  /// The clock has been read.
  void looked(environment::AwakeClock::time_point now) {
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

  environment::AwakeClock::time_point looked_;
  int between_ = 1;  ///< simulations from one reading to the next
  int made_ = 0;     ///< simulations since the last reading
};

/// A thread's turn: over when its length has passed and the thread has had at least half of it as
/// processor time. On a busy machine a thread may wait for a processor instead of searching;
/// without the second condition, searches that share a worker would not progress alike.
class Slice {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  explicit Slice(std::chrono::microseconds length) : length_(length) {}
  [[nodiscard]] bool over(TimePoint now) const {
    return now - begin_ >= length_ && used() >= length_ / 2;
  }
  /// Processor time that the thread has used in this turn.
  [[nodiscard]] std::chrono::nanoseconds used() const { return thread_time() - used_before_; }
  [[nodiscard]] TimePoint begin() const { return begin_; }
  /// Says when the thread reads the clock for `over`.
  [[nodiscard]] Pace& pace() { return pace_; }

 private:
  std::chrono::microseconds length_;
  TimePoint begin_ = environment::AwakeClock::now();
  Pace pace_{begin_};
  std::chrono::nanoseconds used_before_ = thread_time();
};

}  // namespace pitboss::engine
