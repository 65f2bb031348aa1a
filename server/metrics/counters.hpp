#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "environment/awake_clock.hpp"
#include "protocol/limit.hpp"

namespace pitboss::server {

/// Any thread counts, and any thread reads.
class Counter {
 public:
  void add(std::int64_t n = 1) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t value() const noexcept {
    return value_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> value_{0};
};

/// A distribution of durations. Any thread counts, and any thread reads.
class Histogram {
 public:
  using Duration = environment::AwakeClock::duration;
  static constexpr std::array<double, 13> bounds{1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1,
                                                 0.3,  1,    3,    10,   30,   100};  ///< seconds

  void observe(Duration time) noexcept {
    const double seconds = std::chrono::duration<double>(time).count();
    std::size_t bucket = 0;
    while (bucket < bounds.size() && seconds > bounds[bucket]) ++bucket;
    buckets_[bucket].add();
    nanoseconds_.add(std::chrono::nanoseconds(time).count());
  }

  /// How many took no longer than bound `i`; for i == bounds.size(): all.
  [[nodiscard]] std::int64_t up_to(std::size_t i) const noexcept {
    std::int64_t sum = 0;
    for (std::size_t bucket = 0; bucket <= i; ++bucket) sum += buckets_[bucket].value();
    return sum;
  }
  [[nodiscard]] double seconds() const noexcept {
    return static_cast<double>(nanoseconds_.value()) * 1e-9;
  }

 private:
  std::array<Counter, bounds.size() + 1> buckets_;
  Counter nanoseconds_;
};

/// What a server has at the moment.
struct Gauges {
  std::atomic<int> sockets = 0;    ///< open connections, refused and closing ones included
  std::atomic<int> sessions = 0;   ///< sessions that somebody is connected to
  std::atomic<int> searching = 0;  ///< commands that take time and have not ended
  std::atomic<int> pondering = 0;  ///< tables at which the opponent's time is used
};

/// What a server counts from its start on; docs/server.md describes each counter.
struct Counters {
  Counter sessions;
  Counter lines;
  Counter failures;  ///< answers that begin with "?"
  Counter internal_errors;
  Counter bytes_received;
  Counter bytes_sent;
  Histogram answers_at_once;     ///< from a line's arrival to its answer, by the I/O thread
  Histogram answers_of_workers;  ///< the same, by the workers
  std::array<Counter, protocol::limit_rows.size()> limits;  ///< how often each was met

  void met(protocol::Limit limit) noexcept { limits[static_cast<std::size_t>(limit)].add(); }
};

}  // namespace pitboss::server
