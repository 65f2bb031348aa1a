#include "games/records/move_steps.hpp"

#include <doctest/doctest.h>

#include "tests/games/set_up.hpp"

using namespace pitboss;
using namespace pitboss::games;

TEST_CASE("MoveSteps: points are chosen until a move is complete") {
  const auto game = games::game_of("breakthrough size=5");
  MoveSteps steps;
  CHECK(games::joined(steps.next(*game)) == "a2 b2 c2 d2 e2");
  CHECK_FALSE(steps.choose(*game, "a1"));  // its men stand in its way
  CHECK_FALSE(steps.choose(*game, "a2b3"));
  CHECK_FALSE(steps.choose(*game, ""));
  CHECK(steps.choose(*game, "B2") == "");
  CHECK(games::joined(steps.next(*game)) == "a3 b3 c3");
  CHECK_FALSE(steps.choose(*game, "b2"));  // GoGui says things twice
  CHECK(steps.agrees({"b2c3", {"b2", "c3"}}));
  CHECK_FALSE(steps.agrees({"c2c3", {"c2", "c3"}}));
  CHECK(steps.choose(*game, "c3") == "b2c3");
  CHECK(games::joined(steps.chosen()) == "b2 c3");
}

TEST_CASE("MoveSteps: points are taken back") {
  const auto game = games::game_of("breakthrough size=5");
  MoveSteps steps;
  steps.choose(*game, "b2");
  steps.take_back(1);
  CHECK(steps.chosen().empty());
  steps.choose_first(*game, "c2d3", 1);
  CHECK(games::joined(steps.chosen()) == "c2");
  steps.clear();
  CHECK(steps.chosen().empty());
}

TEST_CASE("MoveSteps: the engine's plan lasts as long as it is followed") {
  const auto game = games::game_of("breakthrough size=5");
  MoveSteps steps;
  CHECK_FALSE(steps.planned());
  steps.plan(*game, "b2c3");
  CHECK(steps.planned() == "b2");
  steps.choose(*game, "b2");
  CHECK(steps.planned() == "c3");
  steps.take_back(1);
  CHECK_FALSE(steps.planned());
  steps.plan(*game, "b2c3");
  steps.choose(*game, "d2");
  CHECK_FALSE(steps.planned());
  steps.choose(*game, "d3");
  CHECK_FALSE(steps.planned());
}

TEST_CASE("MoveSteps: the best move that agrees with what has been chosen") {
  const auto game = games::game_of("breakthrough size=5");
  MoveSteps steps;
  CHECK(steps.first_agreeing(*game, {"a2a3", "b2b3"}) == "a2a3");
  steps.choose(*game, "b2");
  CHECK(steps.first_agreeing(*game, {"a2a3", "b2b3", "b2c3"}) == "b2b3");
  CHECK(steps.first_agreeing(*game, {"a2a3"}).starts_with("b2"));
}
