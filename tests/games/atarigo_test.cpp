#include "games/atarigo.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "games/random.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

using Point = std::pair<int, int>;
constexpr std::array<Point, 4> directions = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};

/// The liberties of the group that the stone on (x, y) belongs to.
std::set<Point> liberties_of(const Picture& board, int x, int y) {
  const char own = board.at(x, y);
  std::set<Point> group = {{x, y}};
  std::set<Point> liberties;
  std::vector<Point> todo = {{x, y}};
  while (!todo.empty()) {
    const auto [px, py] = todo.back();
    todo.pop_back();
    for (const auto& [dx, dy] : directions) {
      const Point next{px + dx, py + dy};
      const char c = board.at(next.first, next.second);
      if (c == '.') liberties.insert(next);
      if (c == own && group.insert(next).second) todo.push_back(next);
    }
  }
  return liberties;
}

/// Liberties of the weakest group of `own`; the number of points without a stone.
int fewest_liberties(const Picture& board, char own) {
  int fewest = board.width() * board.height();
  board.for_each([&](int x, int y) {
    if (board.at(x, y) == own) {
      fewest = std::min(fewest, static_cast<int>(liberties_of(board, x, y).size()));
    }
  });
  return fewest;
}

bool is_legal(Picture board, int x, int y, char own) {
  if (board.at(x, y) != '.') return false;
  board.put(x, y, own);
  return fewest_liberties(board, other(own)) == 0 || !liberties_of(board, x, y).empty();
}

std::vector<std::string> legal_moves(const Picture& board, char own) {
  std::vector<std::string> moves;
  board.for_each([&](int x, int y) {
    if (is_legal(board, x, y, own)) moves.push_back(point_text(x, y));
  });
  std::ranges::sort(moves);
  return moves;
}

/// The evaluation that the authors' program of "Novelty in Monte Carlo Tree Search" has.
double value_of(const Picture& board) {
  int lead = fewest_liberties(board, 'X') - fewest_liberties(board, 'O');
  if (lead == 0) lead = board.mover() == 'X' ? 1 : -1;
  const double points = board.width() * board.height();
  return (lead + points) / (2 * points);
}

TEST_CASE("AtariGo against a slow reference") {
  int captures = 0;
  int blocked = 0;
  for (int size = 2; size <= 11; ++size) {
    CAPTURE(size);
    // Most of the tight spots, and all sides without a move, arise on the small boards.
    const std::uint64_t games = size <= 5 ? 50 : 4;
    for (std::uint64_t seed = 0; seed < games; ++seed) {
      Random random(seed);
      const auto game = game_of("atarigo size=" + std::to_string(size));
      for (;;) {
        CAPTURE(game->position());
        const Picture board(*game);
        const char last = other(board.mover());
        const bool captured = fewest_liberties(board, board.mover()) == 0;
        const auto expected = legal_moves(board, board.mover());
        if (captured || expected.empty()) {
          CHECK(outcome(*game) == (last == 'X' ? "B+1" : "W+1"));
          ++(captured ? captures : blocked);
          break;
        }
        CHECK(game->legal_moves() == expected);
        CHECK(*game->static_value() == doctest::Approx(value_of(board)).epsilon(1e-12));
        game->play(game->random_move(random));
      }
    }
  }
  // Both ways to win have occurred.
  CHECK(captures > 100);
  CHECK(blocked > 5);
}

struct Row {
  std::string_view game;
  std::string_view position;
  std::string_view move;
  std::string_view outcome;  ///< "illegal" if the move is
};

const std::vector<Row> rows = {
    // Suicide of one stone is illegal, of a group as well.
    {"atarigo size=5", "...XX/...../...../O..../.O... b", "a1", "illegal"},
    {"atarigo size=5", "...XX/...../O..../XO.../.O... b", "a1", "illegal"},
    // The joined group has a liberty elsewhere: no suicide.
    {"atarigo size=5", "....X/...../...../XO.../.O... b", "a1", ""},
    // What would be suicide captures one of the neighbours: legal, and wins.
    {"atarigo size=5", "...../...../X..../OX.../.O... b", "a1", "B+1"},
    // Captures of one stone, of a group, of two groups at once.
    {"atarigo size=5", "O..../...../..X../.XO../..XO. b", "d2", "B+1"},
    {"atarigo size=5", "O.O../...../..XX./.XOO./..XXO b", "e2", "B+1"},
    {"atarigo size=5", "....O/...../...../X.X../O.OX. b", "b1", "B+1"},
    {"atarigo size=5", "XX.../...../O..../XO.../..... w", "a1", "W+1"},
    // A group left with one liberty goes on.
    {"atarigo size=5", "...../...../..X../..O../..XO. b", "d2", ""},
    {"atarigo size=5", "X..../...../O..../X..../..... w", "b2", ""},
    // The end of a row is no neighbour of the next one's beginning: c1 is no liberty of a2.
    {"atarigo size=3", "X.O/O../X.. b", "b2", "B+1"},
    // No capture, but the other side is left without a legal move and has lost.
    {"atarigo size=3", ".XX/O.O/OX. b", "b2", "B+1"},
    {"atarigo size=4", "XOOO/XO../.OXX/XOXX w", "d3", "W+1"},
};

TEST_CASE("AtariGo::play()") {
  for (const Row& row : rows) {
    CAPTURE(row.position);
    CAPTURE(row.move);
    const auto game = game_at(row.game, row.position);
    if (row.outcome == "illegal") {
      CHECK_THROWS_AS(game->play(row.move), BadGame);
    } else {
      game->play(row.move);
      CHECK(outcome(*game) == row.outcome);
    }
  }
}

TEST_CASE("AtariGo::with()") {
  // Finished positions: a capture, a side without a move.
  CHECK(outcome(*game_at("atarigo size=3", "X.O/X../OX. w")) == "B+1");
  CHECK(outcome(*game_at("atarigo size=3", ".XX/OXO/OX. w")) == "B+1");
  // Handicap stones.
  CHECK(outcome(*game_at("atarigo size=3", "X.X/.../... w")).empty());
  CHECK(outcome(*game_at("atarigo size=3", "X.X/.../O.. b")).empty());
  for (const std::string_view impossible : {
           "O../.../... b",    // white has more stones
           "XO./.../... w",    // black must lead
           "OX./X../..O b",    // white's last stone has no liberty and captured nothing
           ".../.../... b 1",  // no third part
           ".../... b",        // a row is missing
       }) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("atarigo size=3")->set_position(impossible), BadGame);
  }
}

TEST_CASE("AtariGo::create()") {
  CHECK(game_of("atarigo")->legal_moves().size() == 49);
  CHECK(game_of("atarigo size=11")->legal_moves().size() == 121);
  for (const std::string_view bad : {"atarigo size=1", "atarigo size=12"}) {
    CHECK_THROWS_AS(static_cast<void>(game_of(bad)), BadGame);
  }
}

}  // namespace
}  // namespace pitboss::games
