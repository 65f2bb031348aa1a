#include "clients/pitboss/cache_line_time.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace pitboss::clients {

namespace {

constexpr unsigned warm_up = 500;  // round trips, until both threads run
constexpr unsigned round_trips = 2000;

/// Waits for a number; yields now and then, in case there is only one processor.
void await(const std::atomic<unsigned>& number, unsigned wanted) {
  constexpr unsigned patience = 1000;
  for (unsigned i = 1; number.load(std::memory_order_acquire) != wanted; ++i) {
    if (i % patience == 0) std::this_thread::yield();
  }
}

}  // namespace

double time_line() {
  using SteadyClock = std::chrono::steady_clock;
  alignas(64) std::atomic<unsigned> number = 0;
  const std::jthread other([&] {
    for (unsigned i = 0; i < warm_up + round_trips; ++i) {
      await(number, 2 * i + 1);
      number.store(2 * i + 2, std::memory_order_release);
    }
  });
  SteadyClock::time_point begin;
  for (unsigned i = 0; i < warm_up + round_trips; ++i) {
    if (i == warm_up) begin = SteadyClock::now();
    number.store(2 * i + 1, std::memory_order_release);
    await(number, 2 * i + 2);
  }
  const std::chrono::duration<double> spent = SteadyClock::now() - begin;
  return spent.count() / (2 * round_trips);
}

}  // namespace pitboss::clients
