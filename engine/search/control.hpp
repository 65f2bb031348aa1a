#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "engine/options/options.hpp"
#include "engine/search/search.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// Controls a running search: options, bounds, stop, live changes. Knows no game. Any thread may
/// call `stop`, `update`, `is_stopped` and `has_update` at any time; the rest belongs to the thread
/// that searches, or to the one of several that holds their lock.
class SearchControl {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  /// Begins a search: forgets a stop or update of the last one. `stop` and `update` call `waker`.
  void begin(const Options& options, const Limits& limits, Waker waker = {});
  /// The search, which has ended after this time, goes on within other limits; `options` differ in
  /// live ones only, and are left for `take_update`.
  void go_on(const Options& options, const Limits& limits, Waker waker,
             std::chrono::nanoseconds time);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// Number of changes so far to options that simulations read.
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  /// Simulations that the search may make.
  [[nodiscard]] std::int64_t most_simulations() const {
    return limits_.simulations.value_or(max_simulations);
  }
  /// When the search's time is over; TimePoint::max() if it has no bound of time.
  [[nodiscard]] TimePoint deadline() const;

  void stop() noexcept;
  [[nodiscard]] bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// Leaves live options for `take_update`.
  void update(const Options& options);
  [[nodiscard]] bool has_update() const { return updated_.load(std::memory_order_relaxed); }
  /// Puts into force what `update` has left. Bounds set to 0 are removed, unless none would be
  /// left; the one of processor time stays. Blocks are scored anew when simulations reach them, so
  /// that this takes no time however large the tree.
  void take_update();

  /// When the search began.
  [[nodiscard]] TimePoint begun() const { return begun_; }

 private:
  void wake() noexcept;
  void set_waker(Waker waker);

  Options options_;
  Limits limits_;
  std::uint32_t epoch_ = 0;
  TimePoint begun_;

  // Written by threads that do not search, and apart from what every simulation reads.
  alignas(64) std::atomic<bool> stopped_{false};
  std::atomic<bool> updated_{false};
  std::mutex update_mutex_;
  Options update_;
  std::mutex waker_mutex_;
  Waker waker_;
};

}  // namespace pitboss::engine
