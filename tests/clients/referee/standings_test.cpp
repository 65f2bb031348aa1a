#include "clients/referee/standings.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "clients/referee/results.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/summary.hpp"
#include "tests/clients/referee/made_games.hpp"

namespace pitboss::clients {

namespace {

using games::Colour;

/// Adds games as rounds of so many.
void add(Standings& standings, const std::vector<PlayedGame>& games, int round) {
  for (std::size_t i = 0; i < games.size(); i += round) {
    standings.add_round(std::span(games).subspan(i, round));
  }
}

}  // namespace

TEST_CASE("Standings of a game for two") {
  const Match match = made_match("othello");
  Standings standings(match);
  add(standings,
      {made_game(match, 0, "B+4"), made_game(match, 1, "B+2"), made_game(match, 2, "0"),
       made_game(match, 3, "B+R", "resigned"), made_game(match, 4, "0", "length"),
       made_game(match, 5, "W+F", "illegal move: e9")},
      2);
  CHECK(standings.games() == 6);
  CHECK(standings.tally(0) == Tally{2, 2, 2, 12});
  CHECK(standings.tally(0).points() == 3.0);
  CHECK(standings.tally(1) == Tally{2, 2, 2, 12});
  CHECK(standings.tally(0, Colour::black) == Tally{1, 2, 0, 12});
  CHECK(standings.tally(0, Colour::white) == Tally{1, 0, 2});
  CHECK(standings.tally(1, Colour::black) == Tally{2, 0, 1});
  CHECK(standings.resignations(0) == 1);
  CHECK(standings.resignations(1) == 0);
  CHECK(standings.failures(1).at("illegal move") == 1);
  CHECK(standings.forfeits() == 1);
}

TEST_CASE("Standings have no measure of strength where breakdowns could change who is ahead") {
  const Match match = made_match("othello");
  const auto won = [&](int game) { return made_game(match, game, game % 2 == 0 ? "B+4" : "W+4"); };
  const auto broken = [&](int game, const char* reason) {  // of the second player
    const std::string letter = game % 2 == 0 ? "B+" : "W+";
    const bool is_late = reason == time_forfeit;
    return made_game(match, game, letter + (is_late ? "T" : "F"), reason);
  };
  Standings standings(match);
  add(standings, {won(0), broken(1, "illegal move: e9")}, 2);
  CHECK(standings.breakdowns().count(1) == 1);
  CHECK(standings.breakdowns().decide());  // 2 of 2 might be 1 of 2
  CHECK_FALSE(standings.superiority());
  CHECK_FALSE(standings.llr(SprtPlan{.elo1 = 10}));
  add(standings, {won(2), won(3)}, 2);
  CHECK_FALSE(standings.breakdowns().decide());  // 4 of 4 might be 3 of 4
  CHECK(standings.superiority());
  CHECK(standings.llr(SprtPlan{.elo1 = 10}));

  Standings late(match);
  add(late, {broken(0, "time forfeit"), broken(1, "time forfeit")}, 2);
  CHECK(late.breakdowns().count(1) == 0);
  CHECK(late.superiority());
}

TEST_CASE("Standings of a game for three, with ties") {
  const Match match = made_match("rolit players=3");
  // Who sits at red, yellow and green.
  REQUIRE(join(seats_in(match, 0)) == "A B B");
  REQUIRE(join(seats_in(match, 1)) == "B A B");
  REQUIRE(join(seats_in(match, 2)) == "A A B");
  REQUIRE(join(seats_in(match, 3)) == "B B A");
  REQUIRE(join(seats_in(match, 4)) == "A B A");
  REQUIRE(join(seats_in(match, 5)) == "B A A");
  Standings standings(match);
  add(standings,
      {
          made_game(match, 0, "R+3"),         // A 1
          made_game(match, 1, "0"),           // A 1/3
          made_game(match, 2, "0"),           // A 2/3
          made_game(match, 3, "RY+0"),        // B alone shares: A 0
          made_game(match, 4, "YG+0"),        // A 1/2
          made_game(match, 5, "0", "length")  // A 1/2
      },
      6);
  CHECK(standings.tally(0) == Tally{1, 4, 1, 24});
  CHECK(standings.tally(1) == Tally{1, 4, 1, 24});
  CHECK(standings.tally(0).score() == 0.5);
  // A's red seat: won, a third, nothing. B's: a third, a half, and half of B's half.
  CHECK(standings.tally(0, Colour::red) == Tally{1, 1, 1, 4});
  CHECK(standings.tally(1, Colour::red) == Tally{0, 3, 0, 4 + 6 + 6});
  CHECK(standings.tally(0, Colour::green) == Tally{0, 2, 1, 6 + 3});

  int points = 0;
  for (const int player : {0, 1}) {
    for (const Colour c : {Colour::red, Colour::yellow, Colour::green}) {
      const Tally& tally = standings.tally(player, c);
      CHECK(tally.games() == 3);
      points += whole_point * tally.wins + tally.twelfths_of_draws;
    }
  }
  CHECK(points == 6 * whole_point);
}

TEST_CASE("Standings of a game for four: a failure costs all the point") {
  const Match match = made_match("rolit players=4");
  REQUIRE(join(seats_in(match, 4)) == "A B A B");
  Standings standings(match);
  add(standings,
      {made_game(match, 4, "RG+F", "connection closed"), made_game(match, 4, "YB+R", "resigned"),
       made_game(match, 4, "RYG+0")},
      3);
  CHECK(standings.tally(0) == Tally{1, 1, 1, 8});
  CHECK(standings.failures(1).at("connection closed") == 1);
  CHECK(standings.failures(0).empty());
  CHECK(standings.resignations(0) == 1);
  CHECK(standings.tally(0, Colour::red) == Tally{0, 2, 1, 10});
}

TEST_CASE("the summary has every colour of the game") {
  const Match match = made_match("rolit players=3");
  const Experiment experiment{"", {match}, {}};
  Results results(experiment);
  results.add(0, 0, {made_game(match, 0, "R+3"), made_game(match, 1, "0")});
  const auto summary = nlohmann::json::parse(summary_json(results))["matches"][0];
  CHECK(summary["score"].get<double>() == doctest::Approx(2.0 / 3));
  CHECK(summary["players"][0]["red"]["wins"] == 1);
  CHECK(summary["players"][0]["yellow"]["score"].get<double>() == doctest::Approx(1.0 / 3));
  CHECK(summary["players"][1]["green"]["games"] == 2);
  CHECK_FALSE(summary["players"][0].contains("black"));
  CHECK_FALSE(summary["players"][0].contains("blue"));
  const std::string table = summary_table(results);
  CHECK(table.find("\nA               1       1       0") != std::string::npos);
  for (const char* seat : {"\nA, red ", "\nA, yellow ", "\nB, green "}) {
    CHECK(table.find(seat) != std::string::npos);
  }
}

}  // namespace pitboss::clients
