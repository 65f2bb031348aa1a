#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace pitboss::engine {

/// What one server was asked.
struct ServerFigures {
  std::int64_t requests = 0;  ///< that were answered
  std::int64_t positions = 0;
  int largest_batch = 0;
  std::string last_error{};  ///< a sentence; also of a network that it does not have
  std::int64_t failures = 0;
  std::int64_t deadline_misses = 0;  ///< of the failures

  void answered(int batch, std::chrono::steady_clock::duration latency) {
    latencies_[static_cast<std::size_t>(requests++) % latencies_.size()] = latency;
    positions += batch;
    largest_batch = std::max(largest_batch, batch);
  }
  void failed(bool was_late) {
    ++failures;
    if (was_late) ++deadline_misses;
  }
  /// Milliseconds that a share of the last answers took at most; 0 if there was none.
  [[nodiscard]] double latency_ms(double share) const {
    const auto kept = std::min(static_cast<std::size_t>(requests), latencies_.size());
    if (kept == 0) return 0;
    std::vector<std::chrono::steady_clock::duration> sorted(latencies_.begin(),
                                                            latencies_.begin() + kept);
    const auto place =
        sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(kept - 1));
    std::ranges::nth_element(sorted, place);
    return std::chrono::duration<double, std::milli>(*place).count();
  }

 private:
  std::array<std::chrono::steady_clock::duration, 1024> latencies_{};
};

}  // namespace pitboss::engine
