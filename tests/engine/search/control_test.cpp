#include "engine/search/control.hpp"

#include <doctest/doctest.h>

#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using tests::options_of;
using namespace std::chrono_literals;

namespace {

constexpr auto never = SearchControl::TimePoint::max();

/// What bounds a search that began with some options and limits and was then given other options.
struct Bounds {
  Bounds(std::string_view first, const Limits& limits, std::string_view later) {
    control.begin(options_of(first), limits, {});
    CHECK_FALSE(control.has_update());
    control.update(options_of(later));
    CHECK(control.has_update());
    control.take_update();
    CHECK_FALSE(control.has_update());
  }
  [[nodiscard]] std::int64_t simulations() const { return control.most_simulations(); }
  /// From the beginning on; a day if there is no bound of time.
  [[nodiscard]] std::chrono::milliseconds time() const {
    if (control.deadline() == never) return 24h;
    return std::chrono::round<std::chrono::milliseconds>(control.deadline() - control.begun());
  }

  SearchControl control;
};

/// A search with these options, on a clock if one is given.
Bounds bounds_after(std::string_view first, std::string_view later,
                    std::optional<std::chrono::milliseconds> clock = std::nullopt) {
  return {first, limits_of(options_of(first), clock), later};
}

}  // namespace

TEST_CASE("SearchControl: bounds that are set take the place of those before") {
  const Bounds both = bounds_after("simulations=10 movetime=500", "simulations=20 movetime=700");
  CHECK(both.simulations() == 20);
  CHECK(both.time() == 700ms);
  const Bounds other = bounds_after("simulations=10 movetime=0", "simulations=0 movetime=700");
  CHECK(other.simulations() == max_simulations);
  CHECK(other.time() == 700ms);
  const Bounds one_less = bounds_after("simulations=10 movetime=500", "simulations=10 movetime=0");
  CHECK(one_less.simulations() == 10);
  CHECK(one_less.time() == 24h);
}

TEST_CASE("SearchControl: the last bound stays, unless there is a clock, which always does") {
  for (const char* first :
       {"simulations=10 movetime=0", "simulations=0 movetime=500", "simulations=10 movetime=500"}) {
    CAPTURE(first);
    const Options before = options_of(first);
    const Bounds kept = bounds_after(first, "simulations=0 movetime=0");
    CHECK(kept.simulations() == (before.simulations > 0 ? 10 : max_simulations));
    CHECK(kept.time() == (before.movetime_ms > 0 ? 500ms : 24h));
    const Bounds on_clock = bounds_after(first, "simulations=0 movetime=0", 800ms);
    CHECK(on_clock.simulations() == max_simulations);
    CHECK(on_clock.time() == 800ms);
    const Bounds sooner = bounds_after(first, "simulations=0 movetime=600", 800ms);
    CHECK(sooner.time() == 600ms);
    const Bounds later = bounds_after(first, "simulations=30 movetime=900", 800ms);
    CHECK(later.simulations() == 30);
    CHECK(later.time() == 800ms);
  }
}

TEST_CASE("SearchControl: time that is set during a search lifts the default bound") {
  CHECK(bounds_after("", "k=1").simulations() == default_simulations);
  CHECK(bounds_after("", "movetime=500").simulations() == max_simulations);
  CHECK(bounds_after("movetime=500", "movetime=700").simulations() == max_simulations);
  CHECK(bounds_after("movetime=500", "movetime=0").simulations() == default_simulations);
  CHECK(bounds_after("", "k=1", 800ms).simulations() == max_simulations);
  CHECK(bounds_after("", "simulations=5000", 800ms).simulations() == 5000);
}

TEST_CASE("SearchControl: a bound of processor time stays, and is one that may be left") {
  const auto processor_time = [](const Bounds& bounds) {
    return bounds.control.limits().processor_time;
  };
  const Bounds alone = bounds_after("cputime=20", "simulations=10 cputime=0");
  CHECK(alone.simulations() == 10);
  CHECK(processor_time(alone) == 20ms);
  const Bounds left = bounds_after("simulations=10 movetime=500 cputime=20", "simulations=0");
  CHECK(left.simulations() == max_simulations);
  CHECK(left.time() == 24h);
  CHECK(processor_time(left) == 20ms);
  const Bounds later = bounds_after("simulations=10", "simulations=0 cputime=20");
  CHECK(later.simulations() == 10);  // the last one: no search that runs gets one of processor time
  CHECK_FALSE(processor_time(later));
}

TEST_CASE("SearchControl: an endless search gets no bounds") {
  Limits endless;
  endless.endless = true;
  const Bounds bounds("simulations=10", endless, "simulations=20 movetime=30");
  CHECK(bounds.simulations() == max_simulations);
  CHECK(bounds.time() == 24h);
}

TEST_CASE("SearchControl: what simulations read begins an epoch, and a new search the first one") {
  SearchControl control;
  const Options options = options_of("simulations=10 novelty=pseudocount");
  control.begin(options, limits_of(options), {});
  const auto epoch_after = [&](std::string_view more) {
    control.update(options_of("simulations=10 novelty=pseudocount " + std::string(more)));
    control.take_update();
    return control.epoch();
  };
  CHECK(epoch_after("") == 0);
  CHECK(epoch_after("simulations=20") == 0);  // a bound is none of these
  CHECK(epoch_after("alpha=7") == 1);
  CHECK(epoch_after("alpha=7") == 1);
  CHECK(epoch_after("alpha=7 beta=3") == 2);
  CHECK(control.options().alpha == 7);
  CHECK(control.options().beta == 3);
  // Of two updates that nobody took in between the second one counts.
  Options next = options;
  next.k = 5;
  control.update(next);
  next.k = 6;
  control.update(next);
  control.take_update();
  CHECK(control.options().k == 6);
  // A stop and an update of a search before are not the next one's.
  control.update(options);
  control.stop();
  CHECK(control.is_stopped());
  control.begin(options, limits_of(options), {});
  CHECK_FALSE(control.is_stopped());
  CHECK_FALSE(control.has_update());
  CHECK(control.epoch() == 0);
}
