#include "clients/referee/verify_games.hpp"

#include <doctest/doctest.h>

#include "tests/clients/referee/recorded_games.hpp"

namespace pitboss::clients {

TEST_CASE("sound games of every kind have no fault") {
  for (const char* game : {"connect4", "fanorona", "rolit players=3", "rolit players=4"}) {
    CAPTURE(game);
    const Match match = made_match(game, "A", "B", 1);
    for (int i = 0; i < match.games; ++i) CHECK(fault_in(match, recorded_game(match, i)).empty());
  }
}

TEST_CASE("each kind of damage to a record is told") {
  const Match match = made_match("connect4", "A", "B", 3);
  const PlayedGame sound = recorded_game(match, 2);
  const auto fault_after = [&](auto damage) {
    PlayedGame record = sound;
    damage(record);
    return fault_in(match, record);
  };
  CHECK(fault_after([](PlayedGame&) {}).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.game = 0; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.round = 1; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { std::swap(r.seats[0], r.seats[1]); }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.opening = "a1 a2"; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.moves = "z9 " + r.moves; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.moves += " a1", ++r.plies; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { ++r.plies; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.winner = "C"; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.twelfths = 12 - r.twelfths; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.reason = "length"; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.reason = "adjudicated"; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.reason = "exact"; }).empty());
  CHECK(fault_after([&](PlayedGame& r) {
          r.result = r.result == "B+1" ? "W+1" : "B+1";
          settle(r, sides_of(match));
        }) == "the result is not what the rules say");

  const auto lose_on_time = [&](PlayedGame& r) {
    r.reason = "time forfeit";
    r.result = "B+T";
    r.moves = r.opening;
    r.plies = static_cast<int>(split(r.opening).size());
    r.values.clear();
    r.clocks.clear();
    settle(r, sides_of(match));
  };
  CHECK(fault_after(lose_on_time) == "the loser had no clock");
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.clocks += " 5"; }).empty());
  CHECK_FALSE(fault_after([](PlayedGame& r) { r.clocks.back() = 'x'; }).empty());

  Experiment experiment;
  experiment.matches = {match};
  PlayedRound round = recorded_round(experiment, 0, 1);
  CHECK(faults_in(experiment, {round}).empty());
  round.games.pop_back();
  REQUIRE(faults_in(experiment, {round}).size() == 1);
  CHECK(faults_in(experiment, {round})[0].find("round 2 is not whole") != std::string::npos);
}

TEST_CASE("results that a solver has proven are not checked where there is none, which is told") {
  Match match = made_match("cannon", "A", "B", 2);
  match.adjudication.exact = true;
  Experiment experiment;
  experiment.matches = {match};
  PlayedRound round = recorded_round(experiment, 0, 0);
  CHECK(unproven_in(experiment, {round}).empty());
  PlayedGame& game = round.games[0];
  game.reason = "exact";
  game.result = "B+A";
  game.moves = game.opening;
  game.plies = static_cast<int>(split(game.opening).size());
  game.values.clear();
  game.clocks.clear();
  game.efforts = {};
  settle(game, sides_of(match));
  CHECK(faults_in(experiment, {round}).empty());
  const auto told = unproven_in(experiment, {round, round});
  REQUIRE(told.size() == 1);
  CHECK(told[0].starts_with(
      "match 1: 2 results that a solver has proven are not checked: there is no exact solver for "
      "cannon"));
}

}  // namespace pitboss::clients
