#include "protocol/clock.hpp"

#include <doctest/doctest.h>

using namespace pitboss;
using namespace pitboss::protocol;
using namespace std::chrono_literals;
using Colour = games::Colour;

TEST_CASE("Clock: no settings, and GTP's way to say no limit, bound nothing") {
  Clock clock;
  CHECK_FALSE(clock.for_move(Colour::black).has_value());
  clock.set(0s, 1s, 0);
  CHECK_FALSE(clock.for_move(Colour::black).has_value());
}

TEST_CASE("Clock: main time lasts for the whole game") {
  Clock clock;
  clock.set(60s, 0s, 0);
  auto left = 60.0;
  for (int move = 0; move < 181; ++move) {  // a board of 19x19, filled
    const auto time = clock.for_move(Colour::black).value();
    CHECK(time >= 1ms);
    const double used = std::chrono::duration<double>(time).count();
    left -= used;
    clock.spend(Colour::black, time);
  }
  CHECK(left > 0);
  CHECK(clock.for_move(Colour::white).value() > 2s);  // white's clock did not run
}

TEST_CASE("Clock: byo-yomi") {
  Clock clock;
  clock.set(0s, 10s, 5);
  CHECK(clock.for_move(Colour::black).value() <= 2s);
  CHECK(clock.for_move(Colour::black).value() > 1900ms);
  for (int i = 0; i < 5; ++i) clock.spend(Colour::black, 1s);
  CHECK(clock.for_move(Colour::black).value() > 1900ms);  // a new period
  clock.set_left(Colour::black, 3s, 1);
  CHECK(clock.for_move(Colour::black).value() > 2900ms);
  CHECK(clock.for_move(Colour::black).value() < 3s);
  clock.restart();
  CHECK(clock.for_move(Colour::black).value() <= 2s);
}

TEST_CASE("Clock: main time spent leads to byo-yomi") {
  Clock clock;
  clock.set(1s, 10s, 5);
  clock.spend(Colour::black, 2s);
  CHECK(clock.for_move(Colour::black).value() > 1900ms);
}

TEST_CASE("Clock: nothing left is still a millisecond") {
  Clock clock;
  clock.set(1s, 0s, 0);
  clock.spend(Colour::black, 5s);
  CHECK(clock.for_move(Colour::black).value() == 1ms);
}
