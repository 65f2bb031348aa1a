#include "protocol/time_settings.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace pitboss::protocol;
using namespace std::chrono_literals;
using Seconds = TimeSettings::Seconds;

namespace {

/// What is left before a move, how long that may take, what it takes, and what is left then.
struct Step {
  Seconds left;
  int count;
  Seconds longest;
  Seconds used;
};

void check_steps(const TimeSettings& settings, const std::vector<Step>& steps) {
  TimeLeft left = time_at_start(settings);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    CAPTURE(i);
    CHECK(left.time.count() == doctest::Approx(steps[i].left.count()));
    CHECK(left.count == steps[i].count);
    CHECK(longest_move(settings, left).count() == doctest::Approx(steps[i].longest.count()));
    left = time_after(settings, left, steps[i].used);
  }
}

}  // namespace

TEST_CASE("time_after and longest_move, system by system") {
  const TimeLeft unlimited = time_after({}, time_at_start({}), 1h);
  CHECK(unlimited.time == TimeSettings::unlimited);
  CHECK(longest_move({}, unlimited) == TimeSettings::unlimited);
  SUBCASE("absolute") {
    check_steps({.system = TimeSystem::absolute, .main = 10s},
                {{10s, 0, 10s, 4s}, {6s, 0, 6s, 0s}});
  }
  SUBCASE("fischer") {
    check_steps({.system = TimeSystem::fischer, .main = 10s, .period = 2s},
                {{10s, 0, 10s, 4s}, {8s, 0, 8s, 8s}, {2s, 0, 2s, 0s}});
    check_steps(
        {.system = TimeSystem::fischer, .main = 10s, .period = 2s, .most = 11s, .most_a_move = 3s},
        {{10s, 0, 3s, 0s}, {11s, 0, 3s, 3s}, {10s, 0, 3s, 0s}});
  }
  SUBCASE("canadian: what a period has left when its moves are made is lost") {
    check_steps({.system = TimeSystem::canadian, .main = 10s, .period = 6s, .count = 2},
                {{10s, 0, 16s, 4s}, {6s, 0, 12s, 7s}, {5s, 1, 5s, 1s}, {6s, 2, 6s, 0s}});
    check_steps({.system = TimeSystem::canadian, .period = 60s, .count = 2},
                {{60s, 2, 60s, 20s}, {40s, 1, 40s, 40s}, {60s, 2, 60s, 0s}});
  }
  SUBCASE("byo-yomi: a move loses the periods that it uses up") {
    check_steps({.system = TimeSystem::byo_yomi, .main = 10s, .period = 5s, .count = 3},
                {{10s, 0, 25s, 9s},
                 {1s, 0, 16s, 7s},
                 {5s, 2, 10s, 5s},
                 {5s, 2, 10s, 6s},
                 {5s, 1, 5s, 5s},
                 {5s, 1, 5s, 0s}});
  }
}
