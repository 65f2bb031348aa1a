#include "clients/tuning/candidates.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "tests/clients/error_of.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

// How one of several candidates is chosen, and how often chance chooses.

namespace pitboss::clients {
namespace {

Tally wins(int won, int lost) { return {won, 0, lost, 0}; }

TEST_CASE("corrected_quantile: Sidak's") {
  CHECK(corrected_quantile(0.05, 1) == doctest::Approx(1.644854));
  CHECK(corrected_quantile(0.2, 8) == doctest::Approx(1.9202).epsilon(1e-3));
}

TEST_CASE("alpha_rank: two players, a cycle, and one who beats only the weak") {
  // Two players share as exp(49 lead): with 55 % the lead is 0.1.
  Crosstable two(2);
  two.add(0, 1, wins(55, 45));
  const auto shares = alpha_rank(two);
  CHECK(shares[0] / shares[1] == doctest::Approx(std::exp(4.9)).epsilon(1e-6));

  Crosstable cycle(3);
  for (int i = 0; i < 3; ++i) cycle.add(i, (i + 1) % 3, wins(70, 30));
  for (const double share : alpha_rank(cycle)) CHECK(share == doctest::Approx(1. / 3));

  Crosstable table(4);
  table.add(0, 1, wins(60, 40));
  table.add(0, 2, wins(55, 45));
  table.add(0, 3, wins(55, 45));
  table.add(1, 2, wins(95, 5));
  table.add(1, 3, wins(95, 5));
  table.add(2, 3, wins(50, 50));
  const auto four = alpha_rank(table);
  CHECK(table.total(1).score() > table.total(0).score());
  CHECK(four[0] > 0.9);
  CHECK(std::accumulate(four.begin(), four.end(), 0.) == doctest::Approx(1));
}

/// A candidate's only parameter is its strength in Elo against the opponents.
constexpr auto elo = [](const std::vector<double>& x) { return x[0] / elo_scale; };

Conditions conditions_with(int opponents, Values start) {
  return {.seed = 1, .opponents = opponents, .start = std::move(start)};
}

/// How often one of eight equal candidates replaces the equally strong player as it was.
double share_replaced(double lead) {
  constexpr int runs = 60;
  int replaced = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<Values> candidates;
    for (int i = 0; i < 8; ++i) candidates.push_back({std::to_string(lead + i * 1e-6)});
    FinalComparison comparison(candidates, conditions_with(0, {"0"}),
                               {ComparisonSettings::Rule::tournament, 1000});
    SimulatedGames{elo, static_cast<std::uint64_t>(run)}.play_all(comparison);
    replaced += comparison.recommended().front() != Values{"0"};
  }
  return static_cast<double>(replaced) / runs;
}

TEST_CASE("FinalComparison: the tournament protects the player as it was") {
  CHECK(share_replaced(0) < 0.25);
  CHECK(share_replaced(60) > 0.95);
}

TEST_CASE("FinalComparison: as published, the best score against the opponents") {
  const std::vector<Values> candidates{{"0"}, {"30"}, {"90"}, {"30"}};
  FinalComparison comparison(candidates, conditions_with(1, {"0"}), {.games = 1001});
  const auto games = SimulatedGames{elo, 1}.play_all(comparison);
  CHECK(games == 3 * 1000);  // candidates that two runs agree on play once
  CHECK(comparison.recommended() == std::vector<Values>{{"90"}});
  for (const Candidate& c : comparison.candidates()) CHECK(c.scores.games() == 1000);
}

TEST_CASE("FinalComparison: nothing to compare costs nothing") {
  FinalComparison one({{"5"}, {"5"}}, conditions_with(1, {"0"}), {});
  CHECK(!one.propose());
  CHECK(one.recommended() == std::vector<Values>{{"5"}});
}

/// Where one-step deviations lead from 0, 0: the strength is minus the square of the distance to
/// `best`, in Elo times `elo_lost`.
std::vector<Values> deviate(int opponents, double best, double elo_lost, std::uint64_t seed) {
  const SearchSpace space = grids(2, 5, -1, 1);
  OneStepDeviations deviations(space, {"0", "0"}, conditions_with(opponents, {"0", "0"}),
                               {.games = 6000});
  const SimulatedGames games{
      [&](const std::vector<double>& x) {
        return -elo_lost * ((x[0] - best) * (x[0] - best) + (x[1] - best) * (x[1] - best)) /
               elo_scale;
      },
      seed};
  CHECK(games.play_all(deviations) <= 6000);
  return deviations.recommended();
}

TEST_CASE("OneStepDeviations: what is better in two parameters is combined") {
  for (const int opponents : {0, 1}) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      found += deviate(opponents, 0.5, 400, seed).front() == Values{"0.5", "0.5"};
    }
    CHECK(found >= 9);
  }
}

TEST_CASE("OneStepDeviations: chance changes nothing") {
  for (const int opponents : {0, 1}) {
    int changed = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      changed += deviate(opponents, 0, 0, seed).front() != Values{"0", "0"};
    }
    CHECK(changed <= 6);  // one test at 5 %
  }
}

TEST_CASE("OneStepDeviations: a range's step up and down, and the others dropped early") {
  const SearchSpace space = ranges(2, 0, 1);
  OneStepDeviations deviations(space, {"0.5", "1"}, conditions_with(1, {"0.5", "1"}),
                               {.games = 4000});
  std::vector<Values> all;
  for (const Candidate& c : deviations.candidates()) all.push_back(c.values);
  CHECK(all == std::vector<Values>{{"0.5", "1"},
                                   {"0.333333", "1"},
                                   {"0.666667", "1"},
                                   {"0.5", "0.833333"}});  // 1 is the most
  SimulatedGames{[](const std::vector<double>& x) { return x[0] == 0.5 ? 2. : 0.; }, 1}.play_all(
      deviations);
  CHECK(deviations.candidates()[1].is_dropped);
  CHECK(deviations.candidates()[1].scores.games() < deviations.candidates()[0].scores.games());
  CHECK(deviations.recommended() == std::vector<Values>{{"0.5", "1"}});
  CHECK(deviations.remarks() ==
        std::vector<std::string>{"No change of one parameter is a significant improvement."});
}

}  // namespace
}  // namespace pitboss::clients
