#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

/// How tests wait and measure time on a machine that may do other things beside them.
namespace pitboss::tests {

/// How long a test waits for what must come, before it fails. It measures nothing: what comes late
/// has come.
inline constexpr std::chrono::milliseconds longest_wait = std::chrono::minutes(5);
/// What takes so long does not come within a test.
inline constexpr std::chrono::milliseconds for_ever = std::chrono::hours(24);

/// Waits until something is so, for `limit` at most; whether it is.
template <class IsSo>
[[nodiscard]] bool eventually(const IsSo& is_so, std::chrono::milliseconds limit = longest_wait) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// Returns the shortest of up to `tries` times, which `attempt` returns; stops at the first below
/// `enough`. A defect makes every try slow, other programs only some. If a defect leaves some tries
/// quick by chance, let each try return the median or the longest of several times.
template <class Try>
[[nodiscard]] std::chrono::steady_clock::duration quickest(
    int tries, std::chrono::steady_clock::duration enough, Try&& attempt) {
  using Duration = std::chrono::steady_clock::duration;
  Duration shortest = Duration::max();
  for (int made = 0; made < tries && shortest >= enough; ++made) {
    shortest = std::min<Duration>(shortest, attempt());
  }
  return shortest;
}

/// The middle one of an odd number of values: what the machine does beside it may spoil some tries.
template <class Value>
[[nodiscard]] Value median(std::vector<Value> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Processor time that this process has used, of which a server in a thread is a part.
[[nodiscard]] inline std::chrono::nanoseconds processor_time() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) -> std::chrono::nanoseconds {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

}  // namespace pitboss::tests
