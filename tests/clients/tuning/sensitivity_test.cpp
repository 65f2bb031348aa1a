#include "clients/tuning/sensitivity.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "clients/experiments/number_in.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

namespace pitboss::clients {
namespace {

/// What is known of a score almost exactly, at points that fill the space.
std::vector<Observation> known(const UnitSpace& space, int points,
                               const std::function<double(const UnitPoint&)>& score) {
  const UnitPoint shift(static_cast<std::size_t>(space.size()), 0.0);
  std::vector<Observation> out;
  for (int i = 0; i < points; ++i) {
    const UnitPoint at = space.point_of(space.values_at(space.even(i, shift)));
    out.push_back({at, score(at), 1e-5});
  }
  return out;
}

const ChangedScore& at(const Sensitivity& of, const std::string& value) {
  return *std::ranges::find(of.changes, value, &ChangedScore::value);
}

TEST_CASE("sensitivities: the total effects of a sum and of a product, as they are computed") {
  const UnitSpace space(ranges(3, 0, 1));
  // Variances of 0.4 a and 0.2 b: 4 to 1. The third does nothing.
  const auto sum = sensitivities(
      space, known(space, 120, [](const UnitPoint& u) { return 0.2 + 0.4 * u[0] + 0.2 * u[1]; }),
      {"0.5", "0.5", "0.5"});
  REQUIRE(sum.size() == 3);
  CHECK(sum[0].importance == doctest::Approx(0.8).epsilon(0.1));
  CHECK(sum[1].importance == doctest::Approx(0.2).epsilon(0.15));
  CHECK(sum[2].importance < 0.02);
  // (a - 1/2)(b - 1/2): neither does anything alone, both are all of it.
  const auto product = sensitivities(
      space,
      known(space, 150, [](const UnitPoint& u) { return 0.5 + (u[0] - 0.5) * (u[1] - 0.5); }),
      {"1", "1", "0.5"});
  CHECK(product[0].importance > 0.85);
  CHECK(product[1].importance > 0.85);
  CHECK(product[2].importance < 0.1);
}

TEST_CASE("sensitivities: scores around the answer, one parameter changed at a time") {
  const UnitSpace space(ranges(2, 0, 1));
  const auto hill = [](const UnitPoint& u) {
    return 0.6 - (u[0] - 0.31) * (u[0] - 0.31) - 0.1 * (u[1] - 1) * (u[1] - 1);
  };
  const Values answer{"0.31", "1"};
  const auto all = sensitivities(space, known(space, 100, hill), answer);
  for (int i = 0; i < 2; ++i) {
    CAPTURE(i);
    CHECK(std::ranges::is_sorted(all[i].changes, {}, [](const ChangedScore& change) {
      return *number_in<double>(change.value);
    }));
    CHECK(all[i].changes.front().value == "0");
    CHECK(all[i].changes.back().value == "1");
    CHECK(at(all[i], answer[i]).lead == doctest::Approx(0));
    CHECK(at(all[i], answer[i]).deviation == doctest::Approx(0));
    for (const ChangedScore& change : all[i].changes) {
      UnitPoint point{0.31, 1};
      point[i] = *number_in<double>(change.value);
      CHECK(change.lead == doctest::Approx(hill(point) - hill({0.31, 1})).epsilon(0.02));
      CHECK(change.deviation < 0.02);
    }
  }
}

TEST_CASE("sensitivities: lists have all their values, and little is known of one unseen") {
  SearchSpace parameters = ranges(1, 0, 1);
  parameters.push_back({"word", {"one", "two", "three"}, {}});
  const UnitSpace space(parameters);
  const UnitPoint shift(2, 0.0);
  std::vector<Observation> seen;
  for (int i = 0; i < 60; ++i) {
    const UnitPoint u = space.point_of(space.values_at(space.even(i, shift)));
    if (u[1] < 0.6) seen.push_back({u, u[1] < 0.3 ? 0.6 : 0.45, 1e-4});
  }
  const auto all = sensitivities(space, seen, {"0.5", "one"});
  REQUIRE(all[1].changes.size() == 3);
  CHECK(at(all[1], "one").lead == doctest::Approx(0));
  CHECK(at(all[1], "two").lead == doctest::Approx(-0.15).epsilon(0.1));
  CHECK(at(all[1], "three").deviation > 5 * at(all[1], "two").deviation);
  CHECK(all[1].importance > 0.9);
  CHECK(all[0].importance < 0.1);
}

TEST_CASE("sensitivities: a range of whole numbers has each of them once") {
  const UnitSpace space({{"n", {}, {.high = 4, .is_whole = true}}});
  const auto all = sensitivities(
      space, known(space, 20, [](const UnitPoint& u) { return 0.5 + 0.1 * u[0]; }), {"3"});
  Values values;
  for (const ChangedScore& change : all[0].changes) values.push_back(change.value);
  CHECK(values == Values{"0", "1", "2", "3", "4"});
  CHECK(at(all[0], "3").lead == doctest::Approx(0));
}

TEST_CASE("sensitivities: without a difference nothing matters") {
  const UnitSpace space(grids(2, 4, 0, 1));
  const auto all =
      sensitivities(space, known(space, 16, [](const UnitPoint&) { return 0.5; }), {"0", "1"});
  for (const Sensitivity& of : all) {
    CHECK(of.importance >= 0);
    CHECK(of.importance <= 1);
    for (const ChangedScore& change : of.changes) CHECK(std::abs(change.lead) < 1e-3);
  }
}

}  // namespace
}  // namespace pitboss::clients
