#include "clients/experiments/statistics/holm.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace pitboss::clients {

TEST_CASE("holm_adjusted") {
  struct Row {
    std::vector<double> p;
    std::vector<double> adjusted;
  };
  const Row rows[] = {
      {{}, {}},
      {{0.03}, {0.03}},
      // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
      {{0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
      // None falls below one that is smaller, and none exceeds 1.
      {{0.5, 0.9, 0.02}, {1.0, 1.0, 0.06}},
      {{0.01, 0.01}, {0.02, 0.02}},
  };
  for (const Row& row : rows) {
    const std::vector<double> adjusted = holm_adjusted(row.p);
    REQUIRE(adjusted.size() == row.adjusted.size());
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      CAPTURE(i);
      CHECK(adjusted[i] == doctest::Approx(row.adjusted[i]).epsilon(1e-12));
    }
  }
}

}  // namespace pitboss::clients
