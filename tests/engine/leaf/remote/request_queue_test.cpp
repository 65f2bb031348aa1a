#include "engine/leaf/remote/request_queue.hpp"

#include <doctest/doctest.h>

#include "tests/engine/leaf/network/network_folder.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace std::chrono_literals;

namespace {

using TimePoint = RequestQueue::TimePoint;
constexpr TimePoint never = TimePoint::max();

}  // namespace

TEST_CASE("RequestQueue: a server that does not answer is probed again and again, one at a time") {
  EvaluatorSettings settings;
  settings.urls = {"grpc://one:1", "grpc://two:1"};
  RequestQueue queue(settings, 1);
  auto now = RequestQueue::Clock::now();
  CHECK_FALSE(queue.next(0, now).is_probe);
  queue.failed(0, std::nullopt, "it is gone", false, now);
  for (int i = 0; i < 10; ++i) {
    const RequestQueue::Task early = queue.next(0, now);
    CHECK_FALSE(early.is_probe);
    REQUIRE(early.wake > now);
    REQUIRE(early.wake != never);
    now = early.wake;
    CHECK(queue.next(0, now).is_probe);
    // Until it is known what came of it, there is nothing to do; not for the other one either.
    const RequestQueue::Task meanwhile = queue.next(0, now + 1h);
    CHECK_FALSE(meanwhile.is_probe);
    CHECK(meanwhile.wake == never);
    CHECK_FALSE(queue.next(1, now).is_probe);
    queue.failed(0, std::nullopt, "it is still gone", false, now);
    CHECK(queue.states().first.at(0).breaker.state() == Breaker::State::open);
  }
  now = queue.next(0, now).wake;
  CHECK(queue.next(0, now).is_probe);
  queue.probed(0);
  CHECK(queue.states().first.at(0).breaker.state() == Breaker::State::trial);
  CHECK_FALSE(queue.next(0, now).is_probe);
  // It goes again, while it is tried.
  queue.failed(0, std::nullopt, "it is gone again", false, now);
  now = queue.next(0, now).wake;
  CHECK(queue.next(0, now).is_probe);
  CHECK(queue.states().first.at(1).breaker.state() == Breaker::State::closed);
}
