#include "clients/referee/places.hpp"

#include <doctest/doctest.h>

#include "tests/clients/referee/recorded_games.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;

TEST_CASE("places take as many games as they have room for") {
  Match apart = made_match("connect4", "A", "B", 3);
  apart.players[0].place = Address{"one", 1};
  apart.players[1].place = Address{"two", 2};
  Match together = made_match("connect4", "A", "B", 3);
  for (Player& player : together.players) player.place = Address{"one", 1};

  const Places::Time now{1h};
  Places places(3, {{"two:2", 1}});
  CHECK(places.has_room(apart, now));
  places.take(apart);
  CHECK_FALSE(places.has_room(apart, now));
  // A game with both players at one place takes one of its room.
  places.take(together);
  CHECK(places.has_room(together, now));
  places.take(together);
  CHECK_FALSE(places.has_room(together, now));
  places.give_back(apart);
  CHECK(places.has_room(together, now));
  CHECK(places.has_room(apart, now));
}

TEST_CASE("a place that refuses gets fewer games, and more again by and by") {
  const Match match = made_match("connect4", "A", "B", 3);
  const std::string place = text_of(match.players[0].place);
  const Places::Time now{1h};
  Places places(8, {});
  for (int i = 0; i < 5; ++i) places.take(match);
  CHECK(places.refuse(place, now) == 4);
  places.give_back(match);
  CHECK_FALSE(places.has_room(match, now));
  places.give_back(match);
  CHECK(places.has_room(match, now));
  places.take(match);
  CHECK_FALSE(places.has_room(match, now + Places::rest - 1s));
  CHECK(places.has_room(match, now + Places::rest));
  places.take(match);
  CHECK_FALSE(places.has_room(match, now + Places::rest));

  Places alone(8, {});
  alone.take(match);
  CHECK(alone.refuse(place, now) == 0);
}

TEST_CASE("a place that is down takes nothing") {
  const Match match = made_match("connect4", "A", "B", 3);
  const std::string place = text_of(match.players[0].place);
  const Places::Time now{1h};
  Places places(8, {});
  CHECK_FALSE(places.is_down(place));
  places.mark_down(place, now);
  places.mark_down(place, now + 5s);
  CHECK(places.is_down(place));
  CHECK(places.down_since(place) == now);
  CHECK_FALSE(places.has_room(match, now));
  places.mark_up(place);
  CHECK_FALSE(places.is_down(place));
  CHECK(places.has_room(match, now));
}

}  // namespace pitboss::clients
