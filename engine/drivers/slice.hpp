#pragma once

#include <chrono>

#include "engine/drivers/pace.hpp"
#include "engine/drivers/thread_time.hpp"

namespace pitboss::engine {

/// A thread's turn: over when its length has passed and the thread has had at least half of it as
/// processor time. On a busy machine a thread may wait for a processor instead of searching;
/// without the second condition, searches that share a worker would not progress alike.
class Slice {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Slice(std::chrono::microseconds length) : length_(length) {}
  [[nodiscard]] bool over(TimePoint now) const {
    return now - begin_ >= length_ && thread_time() - used_before_ >= length_ / 2;
  }
  [[nodiscard]] TimePoint begin() const { return begin_; }
  /// Says when the thread reads the clock for `over`.
  [[nodiscard]] Pace& pace() { return pace_; }

 private:
  std::chrono::microseconds length_;
  TimePoint begin_ = std::chrono::steady_clock::now();
  Pace pace_{begin_};
  std::chrono::nanoseconds used_before_ = thread_time();
};

}  // namespace pitboss::engine
