#include "clients/experiments/match.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

TEST_CASE("set_game") {
  Match match;
  set_game(match, "gomoku size=9", {"line=exactly-five"});
  CHECK(match.game == "gomoku");
  CHECK(match.parameters.line() == "size=9 opening=gomoku3 line=exactly-five");
  for (const char* text :
       {"", "patience", "gomoku size", "gomoku size=100", "gomoku nosuch=1", "connect4 size=9"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(set_game(match, text), UserError);
  }
}

TEST_CASE("a match derives its openings and seeds from its own") {
  Match match;
  set_game(match, "othello");
  match.openings = {2};
  std::set<std::vector<std::string>> openings;
  std::set<std::int64_t> seeds;
  for (int game = 0; game < 100; ++game) {
    const int round = round_of(match, game);
    CHECK(opening_of(match, round) == opening_of(match, round));
    openings.insert(opening_of(match, round));
    for (const int player : {0, 1}) {
      const std::int64_t seed = engine_seed(match, game, player);
      CHECK(seed > 0);  // to the engines 0 means a random one
      seeds.insert(seed);
    }
  }
  CHECK(openings.size() > 25);
  CHECK(openings.size() <= 50);
  CHECK(seeds.size() == 200);

  Match other = match;
  other.seed = 2;
  CHECK(opening_of(other, 0) != opening_of(match, 0));
  CHECK(engine_seed(other, 0, 0) != engine_seed(match, 0, 0));
}

TEST_CASE("a match at a game for three or four is played in rounds of all seatings") {
  Match match;
  set_game(match, "connect4");
  CHECK(match.round() == 2);
  CHECK(sides_of(match).letters == "BW");
  set_game(match, "rolit players=3");
  match.players[0].name = "A";
  match.players[1].name = "B";
  CHECK(match.round() == 6);
  CHECK(round_of(match, 5) == 0);
  CHECK(round_of(match, 6) == 1);
  CHECK(seats_in(match, 4) == std::vector<std::string>{"A", "B", "A"});
  CHECK(sides_of(match).letters == "RYG");
  CHECK(opening_of(match, 0).size() == 3);
  set_game(match, "rolit players=4");
  CHECK(match.round() == 14);
  CHECK(sides_of(match).letters == "RYGB");
  std::set<std::int64_t> seeds;
  for (int game = 0; game < 28; ++game) {
    for (const int player : {0, 1}) seeds.insert(engine_seed(match, game, player));
  }
  CHECK(seeds.size() == 56);
}

}  // namespace pitboss::clients
