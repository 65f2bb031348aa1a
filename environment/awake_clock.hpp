#pragma once

#include <chrono>

namespace pitboss::environment {

/// A steady clock that stands still while this process does: stopped (Ctrl-Z, Slurm's suspension),
/// frozen with its container, or asleep with its machine. Whoever waits for others, or counts the
/// time of what runs in this process, asks it, so that nobody is late because of such a gap.
///
/// A thread looks at the time ten times a second. A look that comes half a second late or more
/// means that the process stood still since the last one; that time does not count. Any thread may
/// ask.
class AwakeClock {
 public:
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<AwakeClock>;
  static constexpr bool is_steady = true;

  [[nodiscard]] static time_point now() noexcept;
  /// For how long the process has stood still since its first call of this class, in all.
  [[nodiscard]] static duration stood_still() noexcept;
};

}  // namespace pitboss::environment
