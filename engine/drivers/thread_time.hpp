#pragma once

#include <time.h>

#include <chrono>

namespace pitboss::engine {

/// Processor time that the calling thread has used.
[[nodiscard]] inline std::chrono::nanoseconds thread_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

}  // namespace pitboss::engine
