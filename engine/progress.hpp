#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// Wakes who waits for a search, however long ago: any thread calls it at any time, also when
/// nobody waits any more, or is there any more. It does not block or throw, nor use the search.
using Waker = std::function<void()>;

/// The state of a task after a slice of it.
struct Progress {
  using TimePoint = environment::AwakeClock::time_point;
  enum class State : std::uint8_t { runnable, waiting, done };

  State state;
  /// Of a task that waits: when it is to be run again though nobody has called its waker.
  TimePoint wake_at = TimePoint::max();

  static const Progress runnable;
  static const Progress done;
  /// The task can do nothing before its waker is called, or that time has come.
  [[nodiscard]] static constexpr Progress waiting(TimePoint until = TimePoint::max()) {
    return {State::waiting, until};
  }
  [[nodiscard]] constexpr bool is_waiting() const { return state == State::waiting; }
  friend constexpr bool operator==(Progress, Progress) = default;
};

inline constexpr Progress Progress::runnable{State::runnable};
inline constexpr Progress Progress::done{State::done};

}  // namespace pitboss::engine
