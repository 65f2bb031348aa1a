#include "engine/search/control.hpp"

#include <algorithm>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::engine {

void SearchControl::set_waker(Waker waker) {
  const std::scoped_lock lock(waker_mutex_);
  waker_ = std::move(waker);
}

void SearchControl::begin(const Options& options, const Limits& limits, Waker waker) {
  set_waker(std::move(waker));
  options_ = options;
  limits_ = limits;
  epoch_ = 0;
  begun_ = environment::AwakeClock::now();
  stopped_.store(false, std::memory_order_relaxed);
  const std::scoped_lock lock(update_mutex_);
  updated_.store(false, std::memory_order_relaxed);
}

void SearchControl::go_on(const Options& options, const Limits& limits, Waker waker,
                          std::chrono::nanoseconds time) {
  set_waker(std::move(waker));
  limits_ = limits;
  begun_ = environment::AwakeClock::now() - time;
  stopped_.store(false, std::memory_order_relaxed);
  const std::scoped_lock lock(update_mutex_);
  update_ = options;
  updated_.store(options != options_, std::memory_order_relaxed);
}

SearchControl::TimePoint SearchControl::deadline() const {
  auto earliest = TimePoint::max();
  if (limits_.time) earliest = std::min(earliest, begun_ + *limits_.time);
  if (limits_.clock) earliest = std::min(earliest, begun_ + *limits_.clock);
  return earliest;
}

void SearchControl::stop() noexcept {
  stopped_.store(true, std::memory_order_relaxed);
  wake();
}

void SearchControl::update(const Options& options) {
  {
    const std::scoped_lock lock(update_mutex_);
    update_ = options;
    updated_.store(true, std::memory_order_relaxed);
  }
  wake();
}

void SearchControl::take_update() {
  Options next;
  {
    const std::scoped_lock lock(update_mutex_);
    updated_.store(false, std::memory_order_relaxed);
    next = update_;
  }
  const std::int64_t simulations = simulation_bound(next, limits_.clock.has_value());
  const bool is_bounded =
      simulations > 0 || next.movetime_ms > 0 || limits_.processor_time || limits_.clock;
  if (!limits_.endless && is_bounded) {
    limits_.simulations.reset();
    limits_.time.reset();
    if (simulations > 0) limits_.simulations = simulations;
    if (next.movetime_ms > 0) limits_.time = std::chrono::milliseconds(next.movetime_ms);
  }
  next = with_live(options_, next);
  if (simulations_differ(options_, next)) ++epoch_;
  options_ = next;
}

void SearchControl::wake() noexcept {
  const std::scoped_lock lock(waker_mutex_);
  if (waker_) waker_();
}

}  // namespace pitboss::engine
