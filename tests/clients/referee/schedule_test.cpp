#include "clients/referee/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "tests/clients/referee/recorded_games.hpp"
#include "tests/timing.hpp"

namespace pitboss::clients {

namespace {

Experiment five_rounds() {
  Experiment experiment;
  experiment.matches = {made_match("connect4", "A", "B", 3), made_match("connect4", "A", "C", 2)};
  return experiment;
}

constexpr auto everything = [](int) { return true; };
constexpr auto nothing = [](int) { return false; };
constexpr auto room_for_all = [](int) { return 100; };

/// The rounds that a schedule wants, as 10 * match + number, in the order of the requests.
template <class RoomFor, class IsDown>
std::vector<int> wanted_by(const Schedule& schedule, const RoomFor& room, const IsDown& is_down,
                           Supply supply) {
  std::vector<int> out;
  for (const Request& request : schedule.requests(room, is_down, supply)) {
    out.push_back(10 * request.match + request.rounds);
  }
  return out;
}

/// Grants every round that is left.
void grant_all(Schedule& schedule) {
  for (const Request& request : schedule.requests(room_for_all, nothing, {100, 100})) {
    int left = request.rounds;
    for (int round = request.first; left > 0; ++round) {
      if (request.known.contains(round)) continue;
      CHECK(schedule.grant(request.match, round));
      --left;
    }
  }
}

/// The games that a schedule gives when each is finished and written at once, as 100 * match +
/// game.
std::vector<int> order_of(Schedule& schedule, const Experiment& experiment) {
  std::vector<int> order;
  grant_all(schedule);
  while (const auto task = schedule.next(everything)) {
    order.push_back(100 * task->match + task->game);
    const auto round =
        schedule.add(*task, recorded_game(experiment.matches[task->match], task->game));
    if (round) CHECK(schedule.learn(round->match, round->round));
  }
  return order;
}

}  // namespace

TEST_CASE("a schedule goes through all matches round by round") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment, {});
  CHECK_FALSE(schedule.next(everything).has_value());  // nothing is granted
  CHECK(schedule.has_more());
  CHECK(order_of(schedule, experiment) == std::vector{0, 1, 100, 101, 2, 3, 102, 103, 4, 5});
  CHECK_FALSE(schedule.has_more());
}

TEST_CASE("a schedule leaves out what was played") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment, {recorded_round(experiment, 0, 0), recorded_round(experiment, 0, 1),
                                 recorded_round(experiment, 1, 1)});
  CHECK(order_of(schedule, experiment) == std::vector{100, 101, 4, 5});
}

TEST_CASE("a schedule asks for as many rounds as it can begin, and for some ahead") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment,
                    {recorded_round(experiment, 0, 0), recorded_round(experiment, 1, 1)});
  // Rounds have two games. The match with the lowest free round comes first.
  CHECK(wanted_by(schedule, room_for_all, nothing, {0, 1}) == std::vector{0, 11});
  CHECK(wanted_by(schedule, room_for_all, nothing, {2, 1}) == std::vector{1, 11});
  CHECK(wanted_by(schedule, room_for_all, nothing, {100, 1}) == std::vector{2, 11});
  // No more than there is room for; some of those for which there is none; none where it is down.
  CHECK(wanted_by(schedule, [](int match) { return match == 0 ? 1 : 0; }, nothing, {100, 1}) ==
        std::vector{1, 11});
  CHECK(wanted_by(
            schedule, [](int match) { return match == 0 ? 1 : 0; },
            [](int match) { return match == 1; }, {100, 1}) == std::vector{1, 10});
  // What is granted counts.
  CHECK(schedule.grant(1, 0));
  CHECK(schedule.stock() == 2);
  CHECK(wanted_by(schedule, room_for_all, nothing, {1, 1}) == std::vector{0, 10});
  CHECK(wanted_by(schedule, room_for_all, nothing, {2, 1}) == std::vector{1, 10});
  schedule.pause(true);
  CHECK(wanted_by(schedule, room_for_all, nothing, {100, 1}) == std::vector{0, 10});
  CHECK_FALSE(schedule.next(everything).has_value());
  schedule.pause(false);
  CHECK(schedule.next(everything)->match == 1);

  const auto requests = schedule.requests(room_for_all, nothing, {});
  CHECK(requests[0].first == 1);
  CHECK(requests[0].known.empty());
  CHECK(requests[1].first == 0);
  CHECK(requests[1].known == std::set{1});
  CHECK(requests[0].mine.empty());
  CHECK(requests[1].mine == std::set{0});
}

TEST_CASE("a schedule hands out a round when its last game is in, whatever the order") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment, {});
  grant_all(schedule);
  const GameTask first = *schedule.next(everything);
  const GameTask second = *schedule.next(everything);
  const Match& match = experiment.matches[0];
  CHECK_FALSE(schedule.add(second, recorded_game(match, 1)).has_value());
  CHECK(schedule.has_more());

  // The first game is interrupted: it comes next, and no round begins before it.
  schedule.again(first);
  const GameTask repeated = *schedule.next(everything);
  CHECK(repeated.game == 0);
  const auto round = schedule.add(repeated, recorded_game(match, 0));
  REQUIRE(round.has_value());
  CHECK(round->round == 0);
  CHECK(round->games == recorded_round(experiment, 0, 0).games);
}

TEST_CASE("a schedule gives what fits, drops a match, and can be closed") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment, {});
  grant_all(schedule);
  const auto second_only = [](int match) { return match == 1; };
  CHECK(schedule.next(second_only)->match == 1);
  CHECK_FALSE(schedule.next(nothing).has_value());

  const GameTask of_dropped = *schedule.next(everything);
  schedule.drop(1);
  schedule.again(of_dropped);
  CHECK_FALSE(schedule.add(of_dropped, recorded_game(experiment.matches[1], 1)).has_value());
  CHECK_FALSE(schedule.next(second_only).has_value());

  CHECK(schedule.next(everything)->game == 0);
  CHECK(schedule.begin_no_more() == std::vector{std::pair(0, 1), std::pair(0, 2)});
  CHECK(schedule.next(everything)->game == 1);
  CHECK_FALSE(schedule.next(everything).has_value());
  CHECK(schedule.has_more());  // both games of the round are still being played
  std::set<int> left;
  schedule.for_each_left([&](int match) { left.insert(match); });
  CHECK(left.empty());

  // What the ledger grants only now is for others.
  CHECK_FALSE(schedule.grant(0, 1));
  CHECK_FALSE(schedule.next(everything).has_value());
  CHECK(schedule.grant(0, 0));  // it is in play
}

TEST_CASE("a schedule forgets of a dropped match what was to be played again, and of no other") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment, {});
  grant_all(schedule);
  std::vector<GameTask> begun;
  for (int i = 0; i < 4; ++i) begun.push_back(*schedule.next(everything));
  for (const GameTask& task : begun) schedule.again(task);
  schedule.drop(1);
  std::set<int> left;
  schedule.for_each_left([&](int match) { left.insert(match); });
  CHECK(left == std::set{0});
  CHECK(order_of(schedule, experiment) == std::vector{0, 1, 2, 3, 4, 5});
  for (const GameTask& task : begun) schedule.again(task);  // of what is over
  CHECK_FALSE(schedule.next(everything).has_value());
  CHECK_FALSE(schedule.has_more());
}

TEST_CASE("a schedule waits for what others play, and takes back what they leave") {
  const Experiment experiment = five_rounds();
  Schedule schedule(experiment, {recorded_round(experiment, 1, 0), recorded_round(experiment, 1, 1),
                                 recorded_round(experiment, 0, 0)});
  CHECK_FALSE(schedule.hold({{0, 1}, {0, 2}}));
  CHECK(schedule.has_more());
  CHECK_FALSE(schedule.can_play());
  CHECK(wanted_by(schedule, room_for_all, nothing, {9, 9}) == std::vector{0});
  CHECK(schedule.learn(0, 1));
  CHECK_FALSE(schedule.learn(0, 1));
  CHECK_FALSE(schedule.hold({}));  // its referee is gone
  CHECK(schedule.can_play());
  CHECK(wanted_by(schedule, room_for_all, nothing, {9, 9}) == std::vector{1});
  CHECK(order_of(schedule, experiment) == std::vector{4, 5});
  CHECK_FALSE(schedule.has_more());
}

TEST_CASE("a schedule gives up a round that others have taken over") {
  const Experiment experiment = five_rounds();
  const Match& match = experiment.matches[0];
  Schedule schedule(experiment, {});
  grant_all(schedule);
  const GameTask first = *schedule.next(everything);
  CHECK(schedule.hold({{0, 0}, {1, 1}}));  // one has begun, one not
  CHECK_FALSE(schedule.add(first, recorded_game(match, 0)).has_value());
  schedule.again(first);
  std::set<std::pair<int, int>> rounds;
  while (const auto task = schedule.next(everything)) rounds.insert({task->match, task->game / 2});
  CHECK(rounds == std::set{std::pair(0, 1), std::pair(0, 2), std::pair(1, 0)});

  // A round that could not be written is the other's, whether its end is known by then or not.
  Schedule late(experiment, {});
  grant_all(late);
  for (int game = 0; game < 2; ++game) {
    static_cast<void>(late.add(*late.next(everything), recorded_game(match, game)));
  }
  CHECK_FALSE(late.hold({{0, 0}}));  // it is being written
  CHECK(late.learn(0, 0));
  late.lose(0, 0);
  CHECK_FALSE(late.learn(0, 0));
}

TEST_CASE("a schedule gives up what it has of a match and has not finished, and of no other") {
  const Experiment experiment = five_rounds();
  const Match& match = experiment.matches[0];
  Schedule schedule(experiment, {recorded_round(experiment, 0, 0)});
  CHECK(schedule.give_up(0).empty());
  for (const auto& [of, round] : {std::pair(0, 1), {0, 2}, {1, 0}, {1, 1}}) {
    CHECK(schedule.grant(of, round));
  }
  const auto first_only = [](int of) { return of == 0; };
  const GameTask half_played = *schedule.next(everything);  // of match 1
  CHECK(half_played.match == 1);
  for (const int game : {2, 3}) {  // a round to be written
    const auto round = schedule.add(*schedule.next(first_only), recorded_game(match, game));
    CHECK(round.has_value() == (game == 3));
  }
  CHECK(schedule.give_up(0) == std::vector{std::pair(0, 2)});
  CHECK(schedule.has(0, 1));
  CHECK(schedule.learn(0, 1));
  schedule.again(half_played);
  CHECK(schedule.give_up(1) == std::vector{std::pair(1, 0), std::pair(1, 1)});
  CHECK(schedule.give_up(1).empty());
  CHECK(schedule.stock() == 0);
  CHECK_FALSE(schedule.next(everything).has_value());
  schedule.again(half_played);
  CHECK_FALSE(schedule.add(half_played, recorded_game(experiment.matches[1], 0)).has_value());

  // They are free: left to play, and asked for again.
  std::set<int> left;
  schedule.for_each_left([&](int of) { left.insert(of); });
  CHECK(left == std::set{0, 1});
  CHECK(wanted_by(schedule, room_for_all, nothing, {9, 9}) == std::vector{1, 12});
  CHECK(schedule.requests(room_for_all, nothing, {})[1].mine.empty());
  CHECK_FALSE(schedule.hold({{1, 0}}));  // another referee has taken one
  CHECK_FALSE(schedule.hold({}));        // and left it
  CHECK(order_of(schedule, experiment) == std::vector{100, 101, 102, 103, 4, 5});
}

TEST_CASE("a round that was lost and granted again while its games were in play counts once") {
  const Experiment experiment = five_rounds();
  const Match& match = experiment.matches[0];
  Schedule schedule(experiment, {});
  CHECK(schedule.grant(0, 0));
  const GameTask first = *schedule.next(everything);
  const GameTask second = *schedule.next(everything);
  CHECK(schedule.grant(0, 0));  // another had it for a while
  CHECK_FALSE(schedule.next(everything).has_value());
  CHECK(schedule.hold({{0, 0}}));
  CHECK_FALSE(schedule.hold({}));
  CHECK(schedule.grant(0, 0));
  const GameTask anew = *schedule.next(everything);
  CHECK(anew.game == first.game);
  CHECK_FALSE(schedule.add(first, recorded_game(match, 0)).has_value());
  schedule.again(anew);
  CHECK(schedule.next(everything)->game == second.game);
  CHECK_FALSE(schedule.add(anew, recorded_game(match, 0)).has_value());
  const auto round = schedule.add(second, recorded_game(match, 1));
  REQUIRE(round.has_value());
  CHECK(round->games == recorded_round(experiment, 0, 0).games);
  CHECK_FALSE(schedule.add(second, recorded_game(match, 1)).has_value());

  // While it is written it cannot begin, whoever had it meanwhile.
  CHECK(schedule.grant(0, 0));
  CHECK_FALSE(schedule.next(everything).has_value());
  CHECK(schedule.requests(room_for_all, nothing, {})[0].mine == std::set{0});
  CHECK(schedule.learn(0, 0));
  CHECK_FALSE(schedule.grant(0, 0));
}

TEST_CASE("a round that is shorter than a second began in its own second") {
  const std::int64_t before = now_in_seconds();
  const auto since = std::chrono::steady_clock::now();
  const std::int64_t after = now_in_seconds();
  CHECK(tests::eventually([&] { return now_in_seconds() > after; }));
  PlayedRound round;
  note_times(round, since);
  CHECK(round.begun >= before - 1);
  CHECK(round.begun <= after);
  CHECK(round.ended > after);
}

}  // namespace pitboss::clients
