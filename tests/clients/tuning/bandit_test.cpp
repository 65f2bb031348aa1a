#include "clients/tuning/bandit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "clients/tuning/n_tuple_bandit.hpp"
#include "clients/tuning/ucb_bandit.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

// The papers' bandits, against figures computed from the authors' sources.

namespace pitboss::clients {
namespace {

constexpr double tolerance = 1e-6;

bool is_near(double value, double expected) { return std::abs(value - expected) < tolerance; }

/// An arm with these scores and nothing else.
Arm arm_of(int samples, double mean, double square) {
  return {samples * mean, samples * square, samples};
}

TEST_CASE("Arm::bound: UCB1-Tuned") {
  CHECK(is_near(arm_of(10, 0.6, 0.6).bound(1, 100), 0.939307));
  CHECK(is_near(arm_of(20, 0.5, 0.5).bound(1, 100), 0.739926));
  CHECK(is_near(arm_of(70, 0.4, 0.4).bound(1, 100), 0.528246));
  CHECK(is_near(arm_of(400, 0.5, 0.25).bound(1, 1000), 0.556652));  // below the cap of 1/4
}

TEST_CASE("Bandit: the authors' variant, with a sample of 1/2 and virtual losses") {
  Bandit bandit(2, 1.4, 2);
  const auto add = [&](std::int64_t arm, double score) {
    bandit.begin(arm);
    bandit.learn(arm, score);
  };
  for (const double score : {1., 1., 0.}) add(0, score);
  for (const double score : {.5, 1.}) add(1, score);
  CHECK(is_near(bandit.bound(0), 1.113236));
  CHECK(is_near(bandit.bound(1), 1.230433));
  bandit.begin(0);
  CHECK(is_near(bandit.bound(0), 0.951426));
  CHECK(is_near(bandit.bound(1), 1.249455));
}

TEST_CASE("NTupleModel: the authors' bounds, predictions and recommendation") {
  NTupleModel model({2, 2}, 2);
  const auto add = [&](const Places& places, double score) {
    model.begin(places);
    model.learn(places, score);
  };
  add({0, 0}, 1);
  add({0, 1}, .5);
  add({1, 0}, 0);
  REQUIRE(model.tuples().size() == 3);
  const Bandit& a = model.tuples()[0].bandit;
  const Bandit& b = model.tuples()[1].bandit;
  const Bandit& pair = model.tuples()[2].bandit;
  CHECK(is_near(a.bound(0), 1.346445));
  CHECK(is_near(a.bound(1), 1.082555));
  CHECK(is_near(b.bound(0), 1.179778));
  CHECK(is_near(b.bound(1), 1.332555));
  CHECK(is_near(pair.bound(0), 1.582555));
  CHECK(is_near(pair.bound(1), 1.332555));
  CHECK(is_near(pair.bound(2), 1.082555));
  CHECK(is_near(pair.bound(3), 1.677410));  // not tried
  // Singles propose (0, 1), the pair what it has not tried.
  std::map<Places, int> proposed;
  games::Random random(1);
  for (int i = 0; i < 1000; ++i) ++proposed[model.choose(random)];
  CHECK(proposed.size() == 2);
  CHECK(std::abs(proposed[{0, 1}] - 500) < 80);
  CHECK(std::abs(proposed[{1, 1}] - 500) < 80);
  CHECK(is_near(model.predicted({0, 0}), .638889));
  CHECK(is_near(model.predicted({0, 1}), .555556));
  CHECK(is_near(model.predicted({1, 0}), .333333));
  CHECK(is_near(model.predicted({1, 1}), .416667));
  CHECK(model.recommended() == Places{0, 0});
}

TEST_CASE("NTupleModel: three parameters have seven bandits, and all values come") {
  NTupleModel model({3, 4, 2}, 2);
  CHECK(model.tuples().size() == 7);
  CHECK(NTupleModel({3, 4, 2, 2}, 2).tuples().size() == 11);
  CHECK(NTupleModel({3}, 2).tuples().size() == 1);
  games::Random random(1);
  std::set<Places> all;
  for (int i = 0; i < 500; ++i) {
    const Places places = model.choose(random);
    all.insert(places);
    model.begin(places);
    model.learn(places, random.uniform());
  }
  CHECK(all.size() == 24);
  // A recommendation has been played.
  NTupleModel fresh({3, 4, 2}, 2);
  CHECK(fresh.recommended().empty());
  fresh.begin({2, 3, 1});
  CHECK(fresh.recommended() == Places{2, 3, 1});
}

TEST_CASE("Bandit::random_untried: each of those left, none of the others") {
  Bandit bandit(6, 1, 1);
  for (const int arm : {0, 2, 3}) bandit.begin(arm);
  games::Random random(1);
  std::map<std::int64_t, int> drawn;
  for (int i = 0; i < 3000; ++i) ++drawn[bandit.random_untried(random)];
  REQUIRE(drawn.size() == 3);
  for (const int arm : {1, 4, 5}) CHECK(std::abs(drawn[arm] - 1000) < 120);
}

TEST_CASE("Bandit::choose: ties are broken at random") {
  Bandit bandit(3, 1.4, 3);
  for (const int arm : {0, 1, 2}) {
    bandit.begin(arm);
    bandit.learn(arm, arm == 2 ? 0 : 1);
  }
  games::Random random(1);
  int first = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto arm = bandit.choose(random);
    CHECK(arm < 2);
    first += arm == 0 ? 1 : 0;
  }
  CHECK(std::abs(first - 500) < 80);
}

TEST_CASE("UcbBandit: games against all opponents in all seatings; the answer has most samples") {
  const Conditions conditions{.opponents = 5, .start = {"0"}};
  UcbBandit ucb(grids(1, 11, -1, 1), conditions, {.games = 10'009});
  auto first = UcbBandit(ucb).propose();
  REQUIRE(first);
  CHECK(first->size() == 10);
  std::set<int> opponents;
  for (std::size_t i = 0; i < 10; ++i) {
    const ProposedGame& game = (*first)[i];
    opponents.insert(std::get<int>(game.second));
    CHECK(game.opening == static_cast<int>(i / 2));
    CHECK(game.seating == static_cast<int>(i % 2));
  }
  CHECK(opponents.size() == 5);
  // 1,000 pulls are 10,000 games, and each value is tried once before any comes again.
  Proposals proposals(ucb, 1);
  std::set<Values> tried;
  const SimulatedGames games{[](const std::vector<double>& x) { return -4 * std::abs(x[0] - 0.4); },
                             1};
  std::int64_t played = 0;
  while (auto task = proposals.next()) {
    if (task->number < 11) CHECK(tried.insert(task->games.front().first).second);
    proposals.add(task->number, games.play(task->games, task->number));
    played += std::ssize(task->games);
  }
  CHECK(played == 10'000);
  CHECK(ucb.recommended() == std::vector<Values>{{"0.4"}});
  int most = 0;
  int samples = 0;
  for (const auto& [number, arm] : ucb.bandit().arms()) {
    most = std::max(most, arm.samples);
    samples += arm.samples;
  }
  CHECK(samples == 1011);  // with the first one of each
  CHECK(ucb.bandit().arms().at(7).samples == most);
}

TEST_CASE("NTupleRuns: each run learns from its own games, also when those of all are open") {
  const Conditions conditions{.opponents = 5, .start = {"0"}};
  NTupleRuns runs(grids(1, 3, -1, 1), conditions, {.runs = 2, .games_per_run = 60});
  std::vector<Values> proposed;
  while (const auto proposal = runs.propose()) proposed.push_back(proposal->front().first);
  REQUIRE(proposed.size() == 12);
  // In each run the value that came last for the first time wins all games.
  std::vector<Values> best(2);
  for (std::size_t i = 0; i < 12; ++i) {
    const auto known = std::span(proposed).subspan(i / 6 * 6, i % 6);
    if (std::ranges::find(known, proposed[i]) == known.end()) best[i / 6] = proposed[i];
  }
  CHECK(best[0] != proposed[0]);
  CHECK(best[1] != proposed[6]);
  for (std::size_t i = 0; i < 12; ++i) {
    runs.learn(Outcome(10, proposed[i] == best[i / 6] ? whole_point : 0));
    // What a run has learned nothing of yet, it recommends as it began.
    if (i == 5) CHECK(runs.recommended() == std::vector<Values>{best[0], proposed[6]});
  }
  CHECK(runs.recommended() == best);
}

TEST_CASE("Bandits: mistakes") {
  const Conditions conditions{.opponents = 5, .start = {"0"}};
  const auto ucb = [&](const SearchSpace& space, std::int64_t games) {
    return error_of([&] { UcbBandit(space, conditions, {.games = games}); });
  };
  CHECK(ucb(ranges(1, 0, 1), 1000) == "a: bandits choose among values; list them, or use spsa");
  CHECK(ucb(grids(2, 3, 0, 1), 1000) ==
        "parameters: ucb1-tuned tunes one parameter, not 2; use n-tuple");
  CHECK(ucb(grids(1, 11, 0, 1), 100) == "games: 100 are too few; to try each value once needs 110");
  CHECK(ucb(grids(1, 11, 0, 1), 110).empty());
  const auto n_tuple = [&](const SearchSpace& space, std::int64_t games) {
    return error_of([&] { NTupleRuns(space, conditions, {.games_per_run = games}); });
  };
  CHECK(n_tuple(ranges(2, 0, 1), 1000) == "a: bandits choose among values; list them, or use spsa");
  CHECK(n_tuple(grids(2, 11, 0, 1), 100) ==
        "games_per_run: 100 are too few; to try each value of the longest list once needs 110");
}

}  // namespace
}  // namespace pitboss::clients
