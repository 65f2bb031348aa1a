#include "clients/referee/openings.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "clients/user_error.hpp"

namespace pitboss::clients {

TEST_CASE("parse_openings") {
  CHECK(parse_openings("random:1") == Openings{1});
  CHECK(parse_openings("random:12") == Openings{12});
  CHECK(parse_openings("random:0") == Openings{0});
  CHECK(parse_openings("none") == Openings{0});
  CHECK(parse_openings("random:12").text() == "random:12");
  CHECK(parse_openings("random:0").text() == "none");
  for (const char* text :
       {"", "random", "random:", "random:-1", "random:1x", "random:1001", "RANDOM:1", "book"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_openings(text)), UserError);
  }
}

TEST_CASE("draw_opening") {
  for (const std::string_view name : games::game_names()) {
    CAPTURE(name);
    const auto start = games::make_game(name);
    CHECK(draw_opening(*start, {0}, 1).empty());

    std::set<std::vector<std::string>> distinct;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto moves = draw_opening(*start, {1}, seed);
      CHECK(moves == draw_opening(*start, {1}, seed));
      const auto position = start->clone();
      for (const std::string& move : moves) position->play(move);
      CHECK(moves.size() >= static_cast<std::size_t>(start->players()));
      CHECK(position->to_move() == start->to_move());
      CHECK_FALSE(position->result().finished());
      distinct.insert(moves);
    }
    CHECK(distinct.size() > 10);
  }
}

TEST_CASE("draw_opening draws again when the opening ends the game") {
  const auto start = games::make_game("connect4");
  // Half of all random games are over by then.
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    CHECK(draw_opening(*start, {10}, seed).size() == 20);
  CHECK_THROWS_AS(static_cast<void>(draw_opening(*start, {21}, 1)), UserError);
}

}  // namespace pitboss::clients
