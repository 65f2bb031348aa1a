#include "clients/tuning/race.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "clients/tuning/gaussian_process.hpp"
#include "clients/tuning/tuning.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

namespace pitboss::clients {
namespace {

Conditions conditions_of(Values start, int opponents = 1) {
  return {.seed = 3, .opponents = opponents, .start = std::move(start)};
}

/// 200 Elo at -0.5, nothing at 0.5.
double hill(const std::vector<double>& x) { return -1.15 * (x[0] - 0.5) * (x[0] - 0.5); }

bool has_remark(const Race& race, const std::string& part) {
  return std::ranges::any_of(race.remarks(), [&](const std::string& remark) {
    return remark.find(part) != std::string::npos;
  });
}

/// Plays all games; each scores so many twelfths.
void play_all(Race& race, int twelfths) {
  Proposals proposals(race, 5);
  while (const auto task = proposals.next()) {
    proposals.add(task->number, Outcome(task->games.size(), twelfths));
  }
}

TEST_CASE("Race: finds a hill, against an opponent and against itself") {
  for (const int opponents : {0, 1, 3}) {
    CAPTURE(opponents);
    Race race(ranges(1, -1, 1), conditions_of({"-0.5"}, opponents), {.games = 2000});
    const auto games = SimulatedGames{hill, 7}.play_all(race, 16);
    CHECK(games <= 2000);
    CHECK(games > 1990);
    CHECK(hill(numbers_of(race.recommended().front())) > -0.15);
    CHECK(race.lead().mean > race.lead().deviation);
    CHECK(has_remark(race, "more than the options before tuning"));
    // Everybody meets the same openings; in self-play the start has nothing to play.
    CHECK(race.racers().front().scores.empty() == (opponents == 0));
    CHECK_FALSE(race.racers().front().is_out);
  }
}

TEST_CASE("Race: at the top, or where all are equal, the answer is never far below the start") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Conditions conditions = conditions_of({"0.5"}, seed % 2 == 0 ? 0 : 1);
    conditions.seed = static_cast<std::int64_t>(seed);
    Race race(ranges(1, -1, 1), conditions, {.games = 600});
    SimulatedGames{hill, seed}.play_all(race, 16);
    CHECK(hill(numbers_of(race.recommended().front())) > -30 / elo_scale);
  }
}

TEST_CASE("Race: draws only, and all games lost, leave the options before tuning") {
  for (const int twelfths : {6, 0}) {
    Race race(ranges(2, -1, 1), conditions_of({"0", "0"}), {.games = 300});
    play_all(race, twelfths);
    CHECK(race.recommended() == std::vector<Values>{{"0", "0"}});
    CHECK(has_remark(race, "No candidate beat the options before tuning"));
  }
}

TEST_CASE("Race: fewer games than the first round needs") {
  Race race(ranges(2, -1, 1), conditions_of({"0", "0"}), {.games = 6});
  CHECK(SimulatedGames{hill, 1}.play_all(race) == 6);
  CHECK(has_remark(race, "The games ended before all 19 candidates of the first round"));
  CHECK(error_of([] { Race(ranges(1, -1, 1), conditions_of({"0"}), {.games = 1}); }) ==
        "games: 1 are too few; to meet every opponent in every seating needs 2");
}

TEST_CASE("Race: one parameter of two values ends as soon as one has won") {
  const auto winner = [](const std::vector<double>& x) { return x[0] > 0 ? 1.5 : 0; };
  Race race(grids(1, 2, 0, 1), conditions_of({"0"}), {.games = 3000});
  const auto games = SimulatedGames{winner, 1}.play_all(race, 16);
  CHECK(games < 1000);
  CHECK(race.racers().size() == 2);
  CHECK(race.recommended().front() == Values{"1"});
}

TEST_CASE("Race: the control and the answers play, and the control to the end") {
  const auto last_best = [](const std::vector<double>& x) {
    return 2 * std::exp(-std::pow((x[0] - 0.77) / 0.3, 2));
  };
  Race race(ranges(1, -1, 1), conditions_of({"0"}),
            {.games = 1500, .answers = {{"0.77"}}, .control = Values{"-0.9"}});
  SimulatedGames{last_best, 1}.play_all(race, 16);
  CHECK(race.racers()[1].values == Values{"-0.9"});
  CHECK_FALSE(race.racers()[1].is_out);
  CHECK(race.racers()[2].values == Values{"0.77"});
  CHECK(last_best(numbers_of(race.recommended().front())) > 1.5);
  // That of the start is not played twice.
  Race same(ranges(1, -1, 1), conditions_of({"0"}), {.answers = {{"0"}}, .control = Values{"0"}});
  static_cast<void>(same.propose());
  CHECK(std::ranges::count(same.racers(), Values{"0"}, &Race::Racer::values) == 1);
}

TEST_CASE("Race: words beside numbers, an edge that wins, and a start out of the range") {
  SearchSpace space = ranges(1, 0, 1);
  space.push_back({"word", {"good", "bad", "worse"}, {}});
  Race race(space, conditions_of({"0.2", "worse"}), {.games = 2000});
  Proposals proposals(race, 16);
  games::Random random(1);
  while (const auto task = proposals.next()) {
    Outcome outcome;
    for (const ProposedGame& game : task->games) {
      const double lead = *number_in<double>(game.first[0]) + (game.first[1] == "good" ? 1 : 0);
      outcome.push_back(random.uniform() < games::logistic(lead) ? whole_point : 0);
    }
    proposals.add(task->number, outcome);
  }
  const Values answer = race.recommended().front();
  CHECK(answer[1] == "good");
  CHECK(*number_in<double>(answer[0]) > 0.6);
  if (answer[0] == "1") CHECK(has_remark(race, "a stands at its upper bound, 1"));
  CHECK(error_of([] { Race(ranges(1, 0, 1), conditions_of({"2"}), {}); }) ==
        "a: the player has 2 before tuning, which is not in the range");
}

TEST_CASE("Race: more games change none of those before") {
  const auto proposed = [](std::int64_t games) {
    Race race(ranges(2, -1, 1), conditions_of({"0", "0"}), {.games = games});
    Proposals proposals(race, 7);
    const SimulatedGames simulated{hill, 9};
    std::vector<Proposal> all;
    while (const auto task = proposals.next()) {
      all.push_back(task->games);
      proposals.add(task->number, simulated.play(task->games, task->number));
    }
    return all;
  };
  const auto few = proposed(400);
  const auto many = proposed(700);
  REQUIRE(few.size() == 200);
  CHECK(std::ranges::equal(few, std::span(many).first(few.size())));
}

TEST_CASE("UnitSpace: values and points, there and back") {
  const SearchSpace space{{"k", {}, {0.01, 1, true}},
                          {"list", {"3", "1", "10"}, {}},
                          {"word", {"b", "a"}, {}},
                          {"whole", {}, {.low = 0, .high = 8, .is_whole = true}}};
  const UnitSpace unit(space);
  for (const Values& values : {Values{"0.1", "1", "b", "4"}, Values{"1", "10", "a", "8"}}) {
    CHECK(unit.values_at(unit.point_of(values)) == values);
  }
  CHECK(unit.point_of({"0.1", "3", "a", "4"})[0] == doctest::Approx(0.5));
  CHECK(unit.point_of({"0.1", "3", "a", "4"})[1] == doctest::Approx(0.5));
  CHECK(unit.point_of({"0.1", "2", "c", "4"})[1] == doctest::Approx(1. / 3));
  CHECK(unit.point_of({"0.1", "2", "c", "4"})[2] == -1);
  CHECK(unit.edge_of({"1", "1", "b", "4"}, 0) == "upper");
  CHECK(unit.edge_of({"0.1", "1", "b", "4"}, 1) == "lower");
  CHECK(unit.edge_of({"0.1", "1", "b", "4"}, 2).empty());
}

TEST_CASE("Beliefs: of two known scores, and of one that will be known") {
  Likeness likeness{.lengths = {0.3}, .deviation = 0.1, .are_words = {false}};
  const std::vector<Observation> known{{{0.}, 0.4, 1e-6}, {{1.}, 0.6, 1e-6}};
  Beliefs beliefs(likeness, known, {{0.}, {0.5}, {1.}});
  CHECK(beliefs.mean(0) == doctest::Approx(0.4).epsilon(1e-3));
  CHECK(beliefs.mean(1) == doctest::Approx(0.5).epsilon(1e-3));
  CHECK(beliefs.variance(2) < 1e-5);
  const double before = beliefs.variance(1);
  CHECK(beliefs.covariance(1, 1) == doctest::Approx(before));
  beliefs.expect(1, before);
  CHECK(beliefs.variance(1) == doctest::Approx(before / 2));
}

}  // namespace
}  // namespace pitboss::clients
