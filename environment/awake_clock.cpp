#include "environment/awake_clock.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <mutex>
#include <thread>

namespace pitboss::environment {

namespace {

using Duration = AwakeClock::duration;

constexpr Duration look_every = std::chrono::milliseconds(100);
/// So much of the time since the last look passes in any case: the clock has shown it already.
constexpr Duration moment = std::chrono::milliseconds(150);
constexpr Duration too_late = std::chrono::milliseconds(500);

Duration time_of(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Sees when the process stands still.
class Watch {
 public:
  Watch() {
    // Signals are for the threads that wait for them.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread([this] {
      for (;;) {
        std::this_thread::sleep_for(look_every);
        static_cast<void>(look());
      }
    }).detach();
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  /// The time of CLOCK_MONOTONIC, less what the process has stood still.
  [[nodiscard]] Duration awake() noexcept {
    // In this order: `lost_` is written before `seen_`, and whoever is stopped between these
    // lines finds that the last look is long ago.
    const Duration seen = seen_.load();
    const Duration lost = lost_.load();
    const Duration now = time_of(CLOCK_MONOTONIC);
    return now - seen < moment ? now - lost : look();
  }

  /// Asks how long the machine slept, too, which CLOCK_MONOTONIC does not count.
  [[nodiscard]] Duration stood_still() noexcept {
    static_cast<void>(awake());
    const Duration slept = time_of(CLOCK_BOOTTIME) - time_of(CLOCK_MONOTONIC) - slept_before_;
    return lost_.load() + (slept < too_late ? Duration{} : slept);
  }

 private:
  Duration look() noexcept {
    const std::scoped_lock lock(mutex_);
    const Duration now = time_of(CLOCK_MONOTONIC);
    const Duration since = now - seen_.load();
    if (since >= too_late) lost_.store(lost_.load() + since - moment);
    seen_.store(now);
    return now - lost_.load();
  }

  std::mutex mutex_;
  std::atomic<Duration> seen_{time_of(CLOCK_MONOTONIC)};  ///< the last look
  std::atomic<Duration> lost_{Duration{}};
  const Duration slept_before_ = time_of(CLOCK_BOOTTIME) - time_of(CLOCK_MONOTONIC);
};

/// Never destroyed, since its thread asks for it until the process ends.
Watch& watch() {
  static Watch& only = *new Watch;
  return only;
}

}  // namespace

AwakeClock::time_point AwakeClock::now() noexcept { return time_point(watch().awake()); }

AwakeClock::duration AwakeClock::stood_still() noexcept { return watch().stood_still(); }

}  // namespace pitboss::environment
