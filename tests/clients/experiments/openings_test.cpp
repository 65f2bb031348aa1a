#include "clients/experiments/openings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

using Moves = std::vector<std::string>;

std::string error_of(const std::string& text, const games::AnyGame& start) {
  try {
    static_cast<void>(parse_openings(text, start));
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("parse_openings") {
  const auto start = games::make_game("connect4");
  CHECK(parse_openings("random:1", *start) == Openings{1});
  CHECK(parse_openings("random:12", *start) == Openings{12});
  CHECK(parse_openings("random:0", *start) == Openings{0});
  CHECK(parse_openings("none", *start) == Openings{0});
  for (const char* text : {"random:12", "none", "all:1", "all:0", "list:d;a b", "list:d1 d2 a1"}) {
    CAPTURE(text);
    const Openings openings = parse_openings(text, *start);
    CHECK(parse_openings(openings.text(), *start) == openings);
  }
  CHECK(parse_openings("random:0", *start).text() == "none");
  CHECK(parse_openings("all:1", *start).summary() == "all:1 (49 openings)");
  CHECK(parse_openings("list:d;a", *start).summary() == "2 listed openings");
  for (const char* text : {"", "random", "random:", "random:-1", "random:1x", "random:1001",
                           "RANDOM:1", "book", "all", "all:x", "list:", "file:", "file:nosuch",
                           "book:", "book:nosuch", "book:../connect4/balanced"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_openings(text, *start)), UserError);
  }
}

TEST_CASE("draw_opening at random") {
  for (const std::string_view name : games::game_names()) {
    CAPTURE(name);
    const auto start = games::make_game(name);
    CHECK(draw_opening(*start, {0}, 1, 0).empty());

    std::set<Moves> distinct;
    for (int round = 0; round < 20; ++round) {
      const auto moves = draw_opening(*start, {1}, 1, round);
      CHECK(moves == draw_opening(*start, {1}, 1, round));
      const auto position = start->clone();
      for (const std::string& move : moves) position->play(move);
      CHECK(moves.size() >= static_cast<std::size_t>(start->players()));
      CHECK(position->to_move() == start->to_move());
      CHECK_FALSE(position->result().finished());
      distinct.insert(moves);
    }
    CHECK(distinct.size() > 8);
  }
}

TEST_CASE("draw_opening draws again when the opening ends the game") {
  const auto start = games::make_game("connect4");
  // Half of all random games are over by then.
  for (int round = 0; round < 20; ++round) CHECK(draw_opening(*start, {10}, 1, round).size() == 20);
  CHECK_THROWS_AS(static_cast<void>(draw_opening(*start, {21}, 1, 0)), UserError);
}

// The numbers of sequences are perft's; othello has 4, 12, 56, 244 (docs/games.md).
TEST_CASE("all openings are found, positions once") {
  const auto lines = [](const char* game, int turns) {
    const auto start = games::make_game(game);
    return *parse_openings("all:" + std::to_string(turns), *start).lines;
  };
  CHECK(lines("connect4", 0) == Openings::Lines{{}});
  CHECK(lines("connect4", 1).size() == 49);
  CHECK(lines("othello", 1).size() == 12);
  CHECK(lines("gomoku", 1).size() == 80);
  CHECK(lines("breakthrough", 1).size() == 484);
  CHECK(std::ranges::is_sorted(lines("connect4", 1)));

  // Naively: the positions behind all sequences of four plies.
  const auto start = games::make_game("othello");
  std::set<std::string> positions;
  const auto walk = [&](const auto& self, const games::AnyGame& game, int plies) -> void {
    if (plies == 0) {
      positions.insert(game.position());
      return;
    }
    for (const std::string& move : game.legal_moves()) {
      const auto next = game.clone();
      next->play(move);
      self(self, *next, plies - 1);
    }
  };
  walk(walk, *start, 4);
  std::set<std::string> found;
  for (const Moves& line : lines("othello", 2)) {
    const auto game = start->clone();
    for (const std::string& move : line) game->play(move);
    found.insert(game->position());
  }
  CHECK(found == positions);
  CHECK(lines("othello", 2).size() == positions.size());
  CHECK(positions.size() < 244);  // perft
}

TEST_CASE("all openings leave a game to play") {
  const auto start = games::make_game("teeko");
  const Openings all = parse_openings("all:1", *start);
  for (const Moves& line : *all.lines) {
    const auto game = start->clone();
    for (const std::string& move : line) game->play(move);
    CHECK_FALSE(game->result().finished());
    CHECK(game->to_move() == start->to_move());
  }
  CHECK(error_of("all:3", *games::make_game("amazons")).find("more than 1000000") !=
        std::string::npos);
}

TEST_CASE("all openings are played once before any comes again, in an order of the seed") {
  const auto start = games::make_game("connect4");
  const Openings all = parse_openings("all:1", *start);
  for (const std::int64_t seed : {0, 1, 2, 12345}) {
    std::set<Moves> met;
    for (int round = 0; round < 49; ++round) met.insert(draw_opening(*start, all, seed, round));
    CHECK(met.size() == 49);
    for (int round = 0; round < 49; ++round) {
      CHECK(draw_opening(*start, all, seed, 49 + round) == draw_opening(*start, all, seed, round));
    }
  }
  int alike = 0;
  int in_order = 0;
  for (int round = 0; round < 49; ++round) {
    if (draw_opening(*start, all, 1, round) == draw_opening(*start, all, 2, round)) ++alike;
    if (draw_opening(*start, all, 1, round) == (*all.lines)[round]) ++in_order;
  }
  CHECK(alike < 10);
  CHECK(in_order < 10);
  // One opening, two, three: the smallest orders.
  for (const std::string text : {"list:d", "all:0"}) {
    CHECK(draw_opening(*start, parse_openings(text, *start), 1, 5).size() <= 1);
  }
}

TEST_CASE("the openings of a match do not depend on its players") {
  Match match;
  set_game(match, "breakthrough");
  match.players[0].name = "A";
  match.players[1].name = "B";
  for (const char* text : {"random:2", "all:1", "list:a2-a3;b2-b3"}) {
    match.openings = parse_openings(text, *match.initial_position());
    Match other = match;
    other.players[0].name = "C";
    other.players[1].options = {{"k", "0.7"}};
    for (int round = 0; round < 20; ++round) {
      CHECK(opening_of(match, round) == opening_of(other, round));
    }
  }
}

TEST_CASE("listed openings are checked by the rules and played in their order") {
  const auto start = games::make_game("connect4");
  const Openings listed = listed_openings({"D d", "a", ""}, *start);
  CHECK(draw_opening(*start, listed, 1, 0) == draw_opening(*start, listed, 2, 3));
  CHECK(draw_opening(*start, listed, 1, 0).size() == 2);
  CHECK(draw_opening(*start, listed, 1, 1).size() == 1);
  CHECK(draw_opening(*start, listed, 1, 2).empty());
  CHECK(distinct_openings(listed_openings({"a b c", "c b a"}, *start), *start) == 1);

  CHECK(error_of("list:a;a z", *start).starts_with("opening 2: \"z\" is not a legal move"));
  CHECK(error_of("list:a b a b a b a", *start).starts_with("opening 1: the game is over after"));
}

TEST_CASE("openings from a file") {
  const auto start = games::make_game("connect4");
  const ScratchFolder folder;
  const auto file = folder / "openings.txt";
  write_text(file, "# a book\n\nd d  # the middle\r\na b c\r\n");
  const Openings read = read_openings(file, *start);
  CHECK(read == listed_openings({"d d", "a b c"}, *start));
  CHECK(parse_openings("file:openings.txt", *start, folder.path()) == read);
  CHECK(parse_openings("file:" + file.string(), *start) == read);

  const auto error = [&](const std::string& text) {
    write_text(file, text);
    return error_of("file:" + file.string(), *start);
  };
  CHECK(
      error("a\n\n# b\nd z\n").starts_with(file.string() + ", line 4: \"z\" is not a legal move"));
  CHECK(error("# nothing\n") == file.string() + " has no openings");
  CHECK(error_of("file:" + folder.path().string(), *start).find("cannot read ") !=
        std::string::npos);
}

TEST_CASE(
    "round_in_random_order: each pass has every round once, and no half of a list is favoured") {
  const auto start = games::make_game("connect4");
  CHECK(round_in_random_order(parse_openings("random:1", *start), 3, 123) == 123);
  const Openings listed = parse_openings("list:a1;b1;c1;d1;e1;f1", *start);
  constexpr int n = 6;
  constexpr int passes = 500;
  std::array<int, n> met{};  // by who plays every second round
  std::set<std::vector<int>> orders;
  for (int pass = 0; pass < passes; ++pass) {
    std::vector<int> order;
    for (int i = 0; i < n; ++i) {
      order.push_back(round_in_random_order(listed, 3, pass * n + i));
      if (i % 2 == 0) ++met[order.back() % n];
    }
    orders.insert({order[0] % n, order[1] % n, order[2] % n});
    std::ranges::sort(order);
    for (int i = 0; i < n; ++i) CHECK(order[i] == pass * n + i);
  }
  const std::vector<int> numbers = numbers_in_random_order(listed, 3, 20);
  REQUIRE(numbers.size() == 20);
  for (int i = 0; i < 20; ++i) CHECK(round_in_random_order(listed, 3, numbers[i]) == i);
  CHECK(numbers_in_random_order(parse_openings("random:1", *start), 3, 3) ==
        std::vector<int>{0, 1, 2});
  for (const int count : met) CHECK(std::abs(count - passes / 2) < 50);  // 4.5 standard errors
  CHECK(orders.size() > 90);                                             // of 120
  CHECK(round_in_random_order(listed, 4, 0) + 10 * round_in_random_order(listed, 4, 1) !=
        round_in_random_order(listed, 3, 0) + 10 * round_in_random_order(listed, 3, 1));
}

TEST_CASE("distinct_openings") {
  const auto start = games::make_game("connect4");
  CHECK(distinct_openings({1}, *start) == 49);
  CHECK(distinct_openings({0}, *start) == 1);
  CHECK(distinct_openings(parse_openings("all:1", *start), *start) == 49);
  CHECK_FALSE(distinct_openings({20}, *games::make_game("othello")).has_value());
}

}  // namespace pitboss::clients
