#include "clients/books/drawn_openings.hpp"

#include <doctest/doctest.h>

#include <set>

#include "tests/games/set_up.hpp"

namespace pitboss::clients {

namespace {

std::string image_after(const std::string& rules, const std::string& moves) {
  const auto position = games::game_of(rules);
  for (const std::string& move : games::split(moves)) position->play(move);
  return least_image(*position);
}

}  // namespace

TEST_CASE("least_image: positions that a symmetry of the game maps onto each other have the same") {
  CHECK(image_after("connect4", "a b") == image_after("connect4", "g f"));
  CHECK(image_after("connect4", "a b") != image_after("connect4", "b a"));
  CHECK(image_after("connect4", "a b") != image_after("connect4", "a f"));
  const std::string first = image_after("othello", "f4");
  for (const char* move : {"e3", "c5", "d6"}) CHECK(image_after("othello", move) == first);
  CHECK(image_after("othello", "f4 f3") != image_after("othello", "f4 f5"));
  // A half turn is all that hex has.
  CHECK(image_after("hex size=5", "a1") == image_after("hex size=5", "e5"));
  CHECK(image_after("hex size=5", "a1") != image_after("hex size=5", "a5"));
  // The same stones, and another side to move.
  CHECK(image_after("gomoku opening=free", "") != image_after("gomoku opening=free", "h8"));
}

TEST_CASE("draw_openings: as many as there are, no two alike, of more turns where they are few") {
  const auto start = games::game_of("connect4");
  // Of the 49 openings of a turn each only d d is its own image.
  const auto of_one_turn = draw_openings(*start, 1, 25, 1);
  REQUIRE(of_one_turn.size() == 25);
  for (const DrawnOpening& candidate : of_one_turn) CHECK(candidate.moves.size() == 2);
  const auto more = draw_openings(*start, 1, 30, 1);
  REQUIRE(more.size() == 30);
  for (std::size_t i = 0; i < more.size(); ++i) CHECK(more[i].moves.size() == (i < 25 ? 2 : 4));
  CHECK(draw_openings(*start, 1, 30, 1) == more);
  CHECK(draw_openings(*start, 1, 30, 2) != more);
}

TEST_CASE("draw_openings in all games") {
  for (const std::string_view name : games::game_names()) {
    CAPTURE(name);
    const auto start = games::make_game(name);
    const auto candidates = draw_openings(*start, 2, 50, 1);
    CHECK(candidates.size() == 50);
    std::set<std::string> images;
    for (const DrawnOpening& candidate : candidates) {
      const auto position = start->clone();
      for (const std::string& move : candidate.moves) position->play(move);
      CHECK(position->position() == candidate.position);
      CHECK_FALSE(position->result().finished());
      CHECK(images.insert(least_image(*position)).second);
    }
  }
  // A game that ends has no more openings than it has positions.
  const auto small = games::game_of("hex size=3");
  const auto all = draw_openings(*small, 0, 100'000, 1);
  CHECK(all.size() > 1000);
  // Unfinished positions with black to move, but for half turns: by enumeration.
  CHECK(all.size() <= 1209);
}

}  // namespace pitboss::clients
