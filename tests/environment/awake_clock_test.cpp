#include "environment/awake_clock.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/peers/process.hpp"

namespace pitboss::environment {

using namespace std::chrono_literals;

namespace {

/// Has this process stopped for a time by another, and returns when it goes on.
void stand_still(const std::string& seconds) {
  const std::string self = std::to_string(::getpid());
  peers::Process other(
      {"/bin/sh", "-c",
       "sleep 0.3; kill -STOP " + self + "; sleep " + seconds + "; kill -CONT " + self});
  CHECK(other.wait() == 0);
}

}  // namespace

TEST_CASE("AwakeClock: goes on as the steady clock does, also for who sleeps or is blocked") {
  const auto awake = AwakeClock::now();
  const auto steady = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(1200ms);
  const auto difference = (AwakeClock::now() - awake) - (std::chrono::steady_clock::now() - steady);
  CHECK(difference < 10ms);
  CHECK(difference > -10ms);
}

TEST_CASE(
    "AwakeClock: stands still while the process does, each time, for all threads, and never goes "
    "back") {
  std::atomic<bool> is_over = false;
  std::atomic<int> steps_back = 0;
  std::atomic<AwakeClock::rep> longest = 0;
  std::vector<std::jthread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      for (auto last = AwakeClock::now(); !is_over;) {
        const auto now = AwakeClock::now();
        if (now < last) ++steps_back;
        if ((now - last).count() > longest) longest = (now - last).count();
        last = now;
      }
    });
  }
  for (int times = 0; times < 2; ++times) {
    const auto before = AwakeClock::stood_still();
    const auto awake = AwakeClock::now();
    const auto steady = std::chrono::steady_clock::now();
    stand_still("2");
    const auto passed = std::chrono::steady_clock::now() - steady;
    const auto stood_still = AwakeClock::stood_still() - before;
    CHECK(stood_still > 1800ms);
    CHECK(stood_still < passed);
    CHECK(AwakeClock::now() - awake < passed - 1800ms);
  }
  is_over = true;
  others.clear();
  CHECK(steps_back == 0);
  CHECK(AwakeClock::duration(longest) < 500ms);
}

TEST_CASE("AwakeClock: a short stop counts") {
  const auto before = AwakeClock::stood_still();
  const auto awake = AwakeClock::now();
  const auto steady = std::chrono::steady_clock::now();
  stand_still("0.2");
  CHECK(AwakeClock::stood_still() == before);
  CHECK((AwakeClock::now() - awake) - (std::chrono::steady_clock::now() - steady) > -10ms);
}

}  // namespace pitboss::environment
