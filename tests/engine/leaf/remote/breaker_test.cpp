#include "engine/leaf/remote/breaker.hpp"

#include <doctest/doctest.h>

using namespace std::chrono_literals;
using pitboss::engine::Breaker;
using State = Breaker::State;

TEST_CASE("Breaker: opens, pauses longer from failure to failure, and closes with an answer") {
  Breaker breaker(1);
  auto now = Breaker::TimePoint{} + 1h;
  CHECK(breaker.state() == State::closed);
  auto pause = Breaker::first_pause;
  for (int i = 0; i < 20; ++i) {
    breaker.failed(now);
    CHECK_FALSE(breaker.lets_through());
    CHECK(breaker.probe_at() - now >= pause * 3 / 4);
    CHECK(breaker.probe_at() - now <= pause * 5 / 4);
    pause = std::min(pause * 2, Breaker::longest);
    now = breaker.probe_at();
    if (i % 2 == 0) breaker.probed();  // a server that is ready and answers nothing
  }
  CHECK(pause == Breaker::longest);
  breaker.probed();
  CHECK(breaker.state() == State::trial);
  CHECK(breaker.lets_through());
  breaker.succeeded();
  CHECK(breaker.state() == State::closed);
  breaker.failed(now);
  CHECK(breaker.probe_at() - now <= Breaker::first_pause * 5 / 4);
}
