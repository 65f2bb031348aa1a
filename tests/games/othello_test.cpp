#include "games/othello.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include "games/boxed_game.hpp"
#include "games/grid.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

constexpr std::array<std::pair<int, int>, 8> directions = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}};

/// How many discs a disc of `own` on (x, y) flips in one direction.
int flips_towards(const Picture& board, int x, int y, int dx, int dy, char own) {
  int n = 0;
  while (board.at(x + (n + 1) * dx, y + (n + 1) * dy) == other(own)) ++n;
  return board.at(x + (n + 1) * dx, y + (n + 1) * dy) == own ? n : 0;
}

bool can_place(const Picture& board, int x, int y, char own) {
  return board.at(x, y) == '.' && std::ranges::any_of(directions, [&](const auto& d) {
           return flips_towards(board, x, y, d.first, d.second, own) > 0;
         });
}

std::vector<std::string> placements(const Picture& board, char own) {
  std::vector<std::string> moves;
  board.for_each([&](int x, int y) {
    if (can_place(board, x, y, own)) moves.push_back(point_text(x, y));
  });
  std::ranges::sort(moves);
  return moves;
}

/// The board after `own` has placed a disc on the point called `move`.
Picture after(Picture board, const std::string& move, char own) {
  const Picture before = board;
  board.for_each([&](int x, int y) {
    if (point_text(x, y) != move) return;
    board.put(x, y, own);
    for (const auto& [dx, dy] : directions) {
      const int n = flips_towards(before, x, y, dx, dy, own);
      for (int i = 1; i <= n; ++i) board.put(x + i * dx, y + i * dy, own);
    }
  });
  return board;
}

/// Whether from (x, y), without it, to the edge every point satisfies `holds`.
template <class Holds>
bool all_to_edge(const Picture& board, int x, int y, std::pair<int, int> d, Holds&& holds) {
  for (x += d.first, y += d.second; board.on_board(x, y); x += d.first, y += d.second) {
    if (!holds(board.at(x, y))) return false;
  }
  return true;
}

bool is_stable(const Picture& board, int x, int y, char own) {
  const auto is_own = [&](char c) { return c == own; };
  const auto is_disc = [](char c) { return c != '.'; };
  for (std::size_t i = 0; i < directions.size(); i += 2) {
    const auto there = directions[i];
    const auto back = directions[i + 1];
    const bool by_own =
        all_to_edge(board, x, y, there, is_own) || all_to_edge(board, x, y, back, is_own);
    const bool by_full =
        all_to_edge(board, x, y, there, is_disc) && all_to_edge(board, x, y, back, is_disc);
    if (!by_own && !by_full) return false;
  }
  return true;
}

int stable_discs(const Picture& board, char own) {
  const int last = board.width() - 1;
  const std::array corners = {board.at(0, 0), board.at(0, last), board.at(last, 0),
                              board.at(last, last)};
  if (std::ranges::count(corners, '.') == 4) return 0;
  int n = 0;
  board.for_each([&](int x, int y) { n += board.at(x, y) == own && is_stable(board, x, y, own); });
  return n;
}

int list_length(const Picture& board, char own) {
  return std::max(1, static_cast<int>(placements(board, own).size()));
}

/// The evaluation of "Novelty in Monte Carlo Tree Search", its bound 2 * 63 + 64 by size.
double value_of(const Picture& board) {
  const int sum = 2 * (stable_discs(board, 'X') - stable_discs(board, 'O')) +
                  list_length(board, 'X') - list_length(board, 'O');
  const int points = board.width() * board.width();
  const double bound = 2 * (points - 1) + points;
  return (sum + bound) / (2 * bound);
}

TEST_CASE("Othello against a slow reference") {
  for (const std::string_view line : {"othello size=4", "othello size=6", "othello"}) {
    CAPTURE(line);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Random random(seed);
      const auto game = game_of(line);
      while (!game->result().finished()) {
        const Picture board(*game);
        CAPTURE(game->position());
        auto expected = placements(board, board.mover());
        if (expected.empty()) expected = {"pass"};
        CHECK(game->legal_moves() == expected);
        CHECK(*game->static_value() == doctest::Approx(value_of(board)).epsilon(1e-12));
        std::array<std::uint16_t, Othello::feature_count> features{};
        dynamic_cast<const BoxedGame<Othello>&>(*game).game().features(features);
        CHECK(features[0] == stable_discs(board, 'X'));
        CHECK(features[1] == stable_discs(board, 'O'));
        CHECK(features[2] == list_length(board, 'X'));
        CHECK(features[3] == list_length(board, 'O'));
        const std::string move = game->random_move(random);
        game->play(move);
        CHECK(Picture(*game).rows() == after(board, move, board.mover()).rows());
      }
    }
  }
}

// The start for each size: black on the lower left and the upper right of the centre.
TEST_CASE("Othello::create()") {
  CHECK(game_of("othello")->position() ==
        "......../......../......../...OX.../...XO.../......../......../........ b");
  CHECK(game_of("othello size=6")->position() == "....../....../..OX../..XO../....../...... b");
  CHECK(game_of("othello size=4")->position() == "..../.OX./.XO./.... b");
  for (const std::string_view bad : {"othello size=5", "othello size=2", "othello size=10"}) {
    CHECK_THROWS_AS(static_cast<void>(game_of(bad)), BadGame);
  }
}

struct Row {
  std::string_view moves;
  std::string_view legal;
  std::string_view outcome;
  std::string_view last_words;  ///< of the position: who moves, and how many passes were just made
};

const std::vector<Row> rows = {
    // Who can place no disc must pass; the pass is a ply and the only legal move.
    {"e3 f3 d6 e2 e1 d1 g3 f1", "pass", "", " b"},
    {"e3 f3 d6 e2 e1 d1 g3 f1 pass", "e6 g4", "", " w 1"},
    {"e3 f3 d6 e2 e1 d1 g3 f1 pass g4", "g2 g5", "", " b"},
    // Without discs of one colour the game goes on until both have passed.
    {"c5 c4 c3 c6 c7 d3 e3 b7 a8", "pass", "", " w"},
    {"c5 c4 c3 c6 c7 d3 e3 b7 a8 pass", "pass", "", " b 1"},
    {"c5 c4 c3 c6 c7 d3 e3 b7 a8 pass pass", "", "B+13", " w 2"},
};

TEST_CASE("Othello passes") {
  for (const Row& row : rows) {
    CAPTURE(row.moves);
    const auto game = game_of("othello");
    play_all(*game, row.moves);
    CHECK(outcome(*game) == row.outcome);
    CHECK(moves_of(*game) == row.legal);
    CHECK(game->position().ends_with(row.last_words));
  }
}

TEST_CASE("Othello::result()") {
  // The last disc: a full board ends the game at once, without passes.
  const auto full = game_at("othello size=4", "XXXX/XOOX/XOOX/XXO. b");
  full->play("d1");
  CHECK(outcome(*full) == "B+12");
  CHECK(full->legal_moves().empty());
  struct Judged {
    std::string_view position;
    std::string_view outcome;
  };
  const std::vector<Judged> judged = {
      {"XXXX/XXXX/OOOO/OOOO b", "draw"},  // equal numbers
      {"XXXX/XXXX/OOOO/OOOX w", "B+2"},  {"OOOO/OOOO/OOOO/OOOO w", "W+16"},
      {"..../.OO./.OO./.... b", ""},  // nobody can move, but nobody has passed
      {"..../.OO./.OO./.... w 1", ""},   {"..../.OO./.OO./.... b 2", "W+4"},
      {"..../.XX./.OO./.... b", ""},
  };
  for (const Judged& row : judged) {
    CAPTURE(row.position);
    CHECK(outcome(*game_at("othello size=4", row.position)) == row.outcome);
  }
}

TEST_CASE("Othello::with()") {
  for (const std::string_view impossible : {
           "..../..X./.XO./.... b",     // a centre point is empty
           "..../.OX./.XO./.... b 1",   // white could have moved
           "..../.OO./.OO./.... b 3",   // no such number of passes
           "..../.OO./.OO./.... b 0",   //
           "..../.OO./.OO./.... b x",   //
           "..../.OO./.OO./.... b 11",  //
           "OOOO/OOOO/OOOO/OOOO w 1",   // full: nobody passes
           "..../.OX./.XO./.... b 2",   // both could have moved
           "...../.OX./.XO./.... b",    // a row too long
       }) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("othello size=4")->set_position(impossible), BadGame);
  }
}

}  // namespace
}  // namespace pitboss::games
