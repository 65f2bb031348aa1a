#include "engine/search/slice.hpp"
#include "environment/awake_clock.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pitboss::engine::Pace;

namespace {

/// Simulations until the next look at the clock, if each takes so long.
int until_look(Pace& pace, pitboss::environment::AwakeClock::time_point& now,
               std::chrono::nanoseconds each) {
  for (int made = 1;; ++made) {
    now += each;
    if (!pace.is_due()) continue;
    pace.looked(now);
    return made;
  }
}

int settled(std::chrono::nanoseconds each) {
  pitboss::environment::AwakeClock::time_point now(1h);
  Pace pace(now);
  for (int i = 0; i < 20; ++i) until_look(pace, now, each);
  return until_look(pace, now, each);
}

}  // namespace

TEST_CASE(
    "pace: looks at the clock often where simulations are long, seldom where they are short") {
  CHECK(settled(100ns) == 16);
  CHECK(settled(1us) == 16);
  CHECK(settled(5us) >= 8);
  CHECK(settled(20us) <= 5);
  CHECK(settled(1ms) == 1);
}

TEST_CASE("pace: begins with a look after the first simulation, and follows what changes") {
  pitboss::environment::AwakeClock::time_point now(1h);
  Pace pace(now);
  CHECK(until_look(pace, now, 1us) == 1);
  for (int i = 0; i < 20; ++i) until_look(pace, now, 1us);
  CHECK(until_look(pace, now, 1us) == 16);
  for (int i = 0; i < 4; ++i) until_look(pace, now, 1ms);
  CHECK(until_look(pace, now, 1ms) == 1);
}
