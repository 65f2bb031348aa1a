#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>

#include "engine/options/options.hpp"
#include "engine/search.hpp"

namespace pitboss::engine {

/// What a search obeys while it runs: its options and bounds, a word to stop, live changes. Knows
/// no game. `stop`, `update` and `on_ready` may be called by any thread at any time; the rest
/// belongs to the thread that searches, or to the one of several that holds their lock.
class SearchControl {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  /// A search begins: what was said to the last one is forgotten.
  void begin(const Options& options, const Limits& limits);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// Counts the changes of what simulations read of the options.
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }
  /// Simulations that the search may make.
  [[nodiscard]] std::int64_t most_simulations() const {
    return limits_.simulations.value_or(max_simulations);
  }
  /// When its time is over; time_point::max() if it has no end.
  [[nodiscard]] TimePoint deadline() const;

  void stop() noexcept;
  [[nodiscard]] bool is_stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// Hands live options over, which `take_update` puts into force.
  void update(const Options& options);
  [[nodiscard]] bool has_update() const { return updated_.load(std::memory_order_relaxed); }
  /// Obeys what `update` has left. Bounds of the options that are taken away fall, unless they are
  /// the last. The tree is scored anew where the search comes by, so that this takes no time
  /// however large it is.
  void take_update();

  /// As Search::on_ready; `stop` and `update` call it.
  void on_ready(std::function<void()> call);
  void call_ready() noexcept;

 private:
  Options options_;
  Limits limits_;
  std::uint32_t epoch_ = 0;
  TimePoint begun_;

  // Written by threads that do not search, and apart from what every simulation reads.
  alignas(64) std::atomic<bool> stopped_{false};
  std::atomic<bool> updated_{false};
  std::mutex update_mutex_;
  Options update_;
  std::mutex ready_mutex_;
  std::function<void()> ready_;
};

}  // namespace pitboss::engine
