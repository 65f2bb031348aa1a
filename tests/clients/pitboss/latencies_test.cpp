#include "clients/pitboss/latencies.hpp"

#include <doctest/doctest.h>

namespace pitboss::clients {

using namespace std::chrono_literals;

TEST_CASE("Latencies::quantile is right within a percent") {
  Latencies latencies;
  CHECK(latencies.quantile(0.5) == 0ns);
  for (int i = 1000; i >= 1; --i) latencies.add(10us * i);
  CHECK(latencies.count() == 1000);
  CHECK(latencies.longest() == 10ms);
  for (const double share : {0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    CAPTURE(share);
    const double exact = 1e7 * share;
    CHECK(static_cast<double>(latencies.quantile(share).count()) >= 0.9999 * exact);
    CHECK(static_cast<double>(latencies.quantile(share).count()) <= 1.0101 * exact);
  }
}

TEST_CASE("Latencies::quantile of a few values is the one at the rank, rounded up") {
  for (int count = 1; count <= 9; ++count) {
    Latencies latencies;
    for (int i = count; i >= 1; --i) latencies.add(1ms * i);
    for (int percent = 1; percent <= 100; ++percent) {
      CAPTURE(count);
      CAPTURE(percent);
      const int rank = (percent * count + 99) / 100;  // rounded up
      const auto found = latencies.quantile(percent / 100.0);
      CHECK(found >= 999us * rank);
      CHECK(found <= 1011us * rank);
    }
  }
}

TEST_CASE("Latencies::add takes what is out of range") {
  Latencies latencies;
  latencies.add(0ns);
  CHECK(latencies.quantile(1) == 0ns);
  latencies.add(-1ns);
  latencies.add(24h);
  CHECK(latencies.count() == 3);
  CHECK(latencies.longest() == 24h);
  CHECK(latencies.quantile(0.5) <= 1us);
  CHECK(latencies.quantile(1) > 10min);
}

}  // namespace pitboss::clients
