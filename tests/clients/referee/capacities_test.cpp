#include "clients/referee/capacities.hpp"

#include <doctest/doctest.h>

#include "tests/clients/referee/recorded_games.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;

TEST_CASE("places take as many games as they have room for") {
  Match apart = made_match("connect4", "A", "B", 3);
  apart.players[0].location = Address{"one", 1};
  apart.players[1].location = Address{"two", 2};
  Match together = made_match("connect4", "A", "B", 3);
  for (Player& player : together.players) player.location = Address{"one", 1};

  const Capacities::Time now{1h};
  Capacities capacities(3, {{"two:2", 1}});
  CHECK(capacities.has_room(apart, now));
  capacities.take(apart);
  CHECK_FALSE(capacities.has_room(apart, now));
  // A game with both players at one place takes one of its room.
  capacities.take(together);
  CHECK(capacities.has_room(together, now));
  capacities.take(together);
  CHECK_FALSE(capacities.has_room(together, now));
  capacities.give_back(apart);
  CHECK(capacities.has_room(together, now));
  CHECK(capacities.has_room(apart, now));
}

TEST_CASE("a place that refuses gets fewer games, and more again by and by") {
  const Match match = made_match("connect4", "A", "B", 3);
  const std::string place = text_of(match.players[0].location);
  const Capacities::Time now{1h};
  Capacities capacities(8, {});
  for (int i = 0; i < 5; ++i) capacities.take(match);
  CHECK(capacities.refuse(place, now) == 4);
  capacities.give_back(match);
  CHECK_FALSE(capacities.has_room(match, now));
  capacities.give_back(match);
  CHECK(capacities.has_room(match, now));
  capacities.take(match);
  CHECK_FALSE(capacities.has_room(match, now + Capacities::rest - 1s));
  CHECK(capacities.has_room(match, now + Capacities::rest));
  capacities.take(match);
  CHECK_FALSE(capacities.has_room(match, now + Capacities::rest));

  Capacities alone(8, {});
  alone.take(match);
  CHECK(alone.refuse(place, now) == 0);
}

TEST_CASE("a place may be limited, and all programs together") {
  Match match = made_match("connect4", "A", "B", 3);
  for (Player& player : match.players) player.location = Address{"one", 1};
  Match programs = made_match("connect4", "C", "D", 3);
  programs.players[0].location = Program{{"c"}};
  programs.players[1].location = Program{{"d"}};
  Match others = programs;
  for (Player& player : others.players) player.location = Program{{"e"}};

  const Capacities::Time now{1h};
  Capacities capacities(8, {{"one:1", 2}});
  CHECK(capacities.most_at("one:1") == 2);
  capacities.limit("one:1", 3);
  CHECK(capacities.most_at("one:1") == 2);
  capacities.limit("one:1", 1);
  capacities.limit(Capacities::this_machine, 2);
  capacities.take(match);
  CHECK_FALSE(capacities.has_room(match, now + Capacities::rest));
  CHECK(capacities.has_room(programs, now));
  capacities.take(programs);
  capacities.take(others);
  CHECK_FALSE(capacities.has_room(programs, now));
  CHECK_FALSE(capacities.has_room(others, now));
  capacities.give_back(others);
  CHECK(capacities.has_room(programs, now));
}

TEST_CASE("a place that is down takes nothing") {
  const Match match = made_match("connect4", "A", "B", 3);
  const std::string place = text_of(match.players[0].location);
  const Capacities::Time now{1h};
  Capacities capacities(8, {});
  CHECK_FALSE(capacities.is_down(place));
  capacities.mark_down(place, now);
  capacities.mark_down(place, now + 5s);
  CHECK(capacities.is_down(place));
  CHECK(capacities.down_since(place) == now);
  CHECK_FALSE(capacities.has_room(match, now));
  capacities.mark_up(place);
  CHECK_FALSE(capacities.is_down(place));
  CHECK(capacities.has_room(match, now));
}

}  // namespace pitboss::clients
