#include "clients/referee/schedule.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/clients/referee/recorded_games.hpp"

namespace pitboss::clients {

namespace {

Experiment two_matches() {
  Experiment experiment;
  experiment.matches = {made_match("connect4", "A", "B", 3), made_match("connect4", "A", "C", 2)};
  return experiment;
}

constexpr auto everything = [](int) { return true; };

/// The games that a schedule gives when each is finished at once, as 100 * match + game.
std::vector<int> order_of(Schedule& schedule, const Experiment& experiment) {
  std::vector<int> order;
  bool is_new = false;
  while (const auto task = schedule.next(everything, is_new)) {
    order.push_back(100 * task->match + task->game);
    static_cast<void>(
        schedule.add(*task, recorded_game(experiment.matches[task->match], task->game)));
  }
  return order;
}

}  // namespace

TEST_CASE("a schedule goes through all matches round by round") {
  const Experiment experiment = two_matches();
  Schedule schedule(experiment, {});
  CHECK(order_of(schedule, experiment) == std::vector{0, 1, 100, 101, 2, 3, 102, 103, 4, 5});
  CHECK_FALSE(schedule.has_more());
}

TEST_CASE("a schedule leaves out what was played") {
  const Experiment experiment = two_matches();
  Schedule schedule(experiment, {recorded_round(experiment, 0, 0), recorded_round(experiment, 0, 1),
                                 recorded_round(experiment, 1, 1)});
  CHECK(order_of(schedule, experiment) == std::vector{100, 101, 4, 5});
}

TEST_CASE("a schedule hands out a round when its last game is in, whatever the order") {
  const Experiment experiment = two_matches();
  Schedule schedule(experiment, {});
  bool is_new = false;
  const GameTask first = *schedule.next(everything, is_new);
  CHECK(is_new);
  const GameTask second = *schedule.next(everything, is_new);
  CHECK_FALSE(is_new);
  const Match& match = experiment.matches[0];
  CHECK_FALSE(schedule.add(second, recorded_game(match, 1)).has_value());
  CHECK(schedule.has_more());

  // The first game is interrupted: it comes next, and no round begins before it.
  schedule.again(first);
  const GameTask repeated = *schedule.next(everything, is_new);
  CHECK(repeated.game == 0);
  const auto round = schedule.add(repeated, recorded_game(match, 0));
  REQUIRE(round.has_value());
  CHECK(round->round == 0);
  CHECK(round->games == recorded_round(experiment, 0, 0).games);
}

TEST_CASE("a schedule gives what fits, drops a match, and can be closed") {
  const Experiment experiment = two_matches();
  Schedule schedule(experiment, {});
  bool is_new = false;
  const auto second_only = [](int match) { return match == 1; };
  CHECK(schedule.next(second_only, is_new)->match == 1);
  CHECK_FALSE(schedule.next([](int) { return false; }, is_new).has_value());

  const GameTask of_dropped = *schedule.next(everything, is_new);
  schedule.drop(1);
  schedule.again(of_dropped);
  CHECK_FALSE(schedule.add(of_dropped, recorded_game(experiment.matches[1], 1)).has_value());
  CHECK_FALSE(schedule.next(second_only, is_new).has_value());

  CHECK(schedule.next(everything, is_new)->game == 0);
  schedule.begin_no_more();
  CHECK(schedule.next(everything, is_new)->game == 1);
  CHECK_FALSE(schedule.next(everything, is_new).has_value());
  CHECK(schedule.has_more());  // both games of the round are still being played
  std::set<int> left;
  schedule.for_each_left([&](int match) { left.insert(match); });
  CHECK(left.empty());
}

TEST_CASE("a schedule forgets of a dropped match what was to be played again, and of no other") {
  const Experiment experiment = two_matches();
  Schedule schedule(experiment, {});
  bool is_new = false;
  std::vector<GameTask> begun;
  for (int i = 0; i < 4; ++i) begun.push_back(*schedule.next(everything, is_new));
  for (const GameTask& task : begun) schedule.again(task);
  schedule.drop(1);
  std::set<int> left;
  schedule.for_each_left([&](int match) { left.insert(match); });
  CHECK(left == std::set{0});
  CHECK(order_of(schedule, experiment) == std::vector{0, 1, 2, 3, 4, 5});
  for (const GameTask& task : begun) schedule.again(task);  // of what is over
  CHECK_FALSE(schedule.next(everything, is_new).has_value());
  CHECK_FALSE(schedule.has_more());
}

}  // namespace pitboss::clients
