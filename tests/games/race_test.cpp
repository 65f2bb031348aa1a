#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "games/breakthrough.hpp"
#include "games/grid.hpp"
#include "games/random.hpp"
#include "tests/games/battery.hpp"

namespace pitboss::games {
namespace {

/// A step as black makes it; white's are turned round.
struct Step {
  int dx;
  int dy;
  bool captures;
};

struct Rules {
  std::string_view game;
  std::vector<Step> steps;
};

const std::vector<Rules> both = {
    {"breakthrough", {{-1, 1, true}, {0, 1, false}, {1, 1, true}}},
    {"knightthrough", {{-2, 1, true}, {-1, 2, true}, {1, 2, true}, {2, 1, true}}},
};

std::vector<std::string> legal_moves(const Picture& board, const std::vector<Step>& steps) {
  const char own = board.mover();
  const int up = own == 'X' ? 1 : -1;
  std::vector<std::string> moves;
  board.for_each([&](int x, int y) {
    if (board.at(x, y) != own) return;
    for (const auto& [dx, dy, captures] : steps) {
      const char there = board.at(x + up * dx, y + up * dy);
      if (there == '.' || (captures && there == other(own))) {
        moves.push_back(point_text(x, y) + point_text(x + up * dx, y + up * dy));
      }
    }
  });
  std::ranges::sort(moves);
  return moves;
}

/// The result as the board shows it after a move of the side that is not to move.
std::string judged(const Picture& board) {
  const std::string rows = board.rows();
  const auto row = [&](int y) { return split(rows, '/')[board.height() - 1 - y]; };
  const auto has = [](const std::string& text, char c) {
    return text.find(c) != std::string::npos;
  };
  if (has(row(board.height() - 1), 'X') || !has(rows, 'O')) return "B+1";
  if (has(row(0), 'O') || !has(rows, 'X')) return "W+1";
  return "";
}

TEST_CASE("Race against a slow reference") {
  for (const Rules& rules : both) {
    for (int size = 5; size <= 8; ++size) {
      const std::string line = std::string(rules.game) + " size=" + std::to_string(size);
      CAPTURE(line);
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        const auto game = game_of(line);
        for (;;) {
          CAPTURE(game->position());
          const Picture board(*game);
          CHECK(outcome(*game) == judged(board));
          if (game->result().finished()) break;
          CHECK(game->legal_moves() == legal_moves(board, rules.steps));
          game->play(game->random_move(random));
        }
      }
    }
  }
}

struct Row {
  std::string_view game;
  std::string_view position;
  std::string_view legal;
  std::string_view move;
  std::string_view outcome;
};

const std::vector<Row> rows = {
    // Straight ahead only onto an empty point; diagonally onto an enemy as well.
    {"breakthrough", "......../......../......../..OOO.../...X..../......../......../........ b",
     "d4c5 d4e5", "d4xe5", ""},
    {"breakthrough", "......../......../......../..XXX.../...X..../......../.O....../........ b",
     "c5b6 c5c6 c5d6 d5c6 d5d6 d5e6 e5d6 e5e6 e5f6", "c5-b6", ""},
    // Nothing lies beyond the edge.
    {"breakthrough", "......../......../.......O/......../X......./......../......../........ w",
     "h6g5 h6h5", "h6g5", ""},
    // Capturing the last man wins.
    {"breakthrough", "......../......../......../....O.../...X..../......../......../........ b",
     "d4c5 d4d5 d4e5", "d4e5", "B+1"},
    {"breakthrough", "......../......../......../....O.../...X..../......../......../........ w",
     "e5d4 e5e4 e5f4", "e5xd4", "W+1"},
    // Reaching the far row wins.
    {"breakthrough", "......../...X..../......../......../......../......../......O./........ b",
     "d7c8 d7d8 d7e8", "d7d8", "B+1"},
    {"breakthrough", "......../...X..../......../......../......../......../......O./........ w",
     "g2f1 g2g1 g2h1", "g2h1", "W+1"},
    // Knights jump over whatever lies between, forward only, and not onto their own.
    {"knightthrough", "......../......../..XOO.../.X.O.O../.OOXO.../......../......../........ b",
     "b5a7 b5c7 b5d6 c6a7 c6b8 c6d8 c6e7 d4e6 d4f5", "d4xe6", ""},
    {"knightthrough", "......../......../..X...../......../...X..../....O.../......../........ w",
     "e3c2 e3d1 e3f1 e3g2", "e3-c2", ""},
    // Nothing lies beyond the edges.
    {"knightthrough", "......../......../......../......../X......X/......../......O./........ b",
     "a4b6 a4c5 h4f5 h4g6", "a4c5", ""},
    // Capturing the last man wins, and so does the far row.
    {"knightthrough", "......../......../......../.....O../...X..../......../......../........ b",
     "d4b5 d4c6 d4e6 d4f5", "d4f5", "B+1"},
    {"knightthrough", "......../......../...X..../......../......../......O./......../........ w",
     "g3e2 g3f1 g3h1", "g3h1", "W+1"},
};

TEST_CASE("Race::play()") {
  for (const Row& row : rows) {
    CAPTURE(row.game);
    CAPTURE(row.position);
    const auto game = game_at(row.game, row.position);
    CHECK(moves_of(*game) == row.legal);
    game->play(row.move);
    CHECK(outcome(*game) == row.outcome);
  }
}

TEST_CASE("Race::create()") {
  CHECK(game_of("breakthrough")->position() ==
        "OOOOOOOO/OOOOOOOO/......../......../......../......../XXXXXXXX/XXXXXXXX b");
  CHECK(game_of("knightthrough size=5")->position() == "OOOOO/OOOOO/...../XXXXX/XXXXX b");
  for (const auto& rules : both) {
    for (const std::string size : {"4", "9", "-8", "8x"}) {
      const std::string line = std::string(rules.game) + " size=" + size;
      CAPTURE(line);
      CHECK_THROWS_AS(static_cast<void>(game_of(line)), BadGame);
    }
  }
}

TEST_CASE("Race::with()") {
  // Finished games: the far row, no enemy left.
  CHECK(outcome(*game_at("breakthrough size=5", "..X../O..../...../...../..... w")) == "B+1");
  CHECK(outcome(*game_at("breakthrough size=5", "...../O..../...../...../..... b")) == "W+1");
  for (const std::string_view impossible : {
           "..X../O..../...../...../..... b",    // black has already won
           "..X../...../...../...../O.... b",    // both have won
           "...../...../...../...../..... b",    // no men at all
           "OOOOO/OOOOO/OO.../...../XX... b",    // more men than there were
           "OOOOO/OOOOO/...../XXXXX/XXXXX b 1",  // no third part
       }) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("breakthrough size=5")->set_position(impossible), BadGame);
  }
}

/// Breakthrough's playout policy by its words: how much each move weighs.
std::map<std::string, int> weights(const Picture& board) {
  const char own = board.mover();
  const char enemy = other(own);
  const int up = own == 'X' ? 1 : -1;
  const int home = own == 'X' ? 0 : board.height() - 1;
  const int goal = board.height() - 1 - home;
  const std::string all = board.rows();
  const bool is_last = std::ranges::count(all, enemy) == 1;
  std::map<std::string, int> wins;
  std::map<std::string, int> urgent;
  std::map<std::string, int> others;
  board.for_each([&](int x, int y) {
    if (board.at(x, y) != own) return;
    for (const int dx : {-1, 0, 1}) {
      const int to = x + dx;
      const int ahead = y + up;
      const char there = board.at(to, ahead);
      const bool captures = dx != 0 && there == enemy;
      if (there != '.' && !captures) continue;
      const bool defended =
          board.at(to - 1, ahead + up) == enemy || board.at(to + 1, ahead + up) == enemy;
      const std::string move = point_text(x, y) + point_text(to, ahead);
      if (ahead == goal || (captures && is_last)) wins[move] = 1;
      if (captures && y == home) urgent[move] = 1;
      const int capture = defended ? 2 : 5;
      others[move] = captures ? capture : 1;
    }
  });
  if (!wins.empty()) return wins;
  return urgent.empty() ? others : urgent;
}

/// How much (chi-square) the moves that the policy draws differ from what they should be, in terms
/// of a bound that a right program exceeds about once in 10^9 runs.
double excess(const AnyGame& game, const std::map<std::string, int>& expected, int draws_a_weight) {
  const auto& position = battery::inside<Breakthrough>(game);
  Random random(11);
  int draws = 0;
  for (const auto& [move, weight] : expected) draws += draws_a_weight * weight;
  std::map<std::string, int> drawn;
  for (int i = 0; i < draws; ++i) ++drawn[position.text(position.informed_move(random))];
  double chi_square = 0;
  for (const auto& [move, weight] : expected) {
    const double mean = draws_a_weight * weight;
    chi_square += (drawn[move] - mean) * (drawn[move] - mean) / mean;
  }
  if (drawn.size() != expected.size()) return 1000;  // other moves, too
  const double freedom = static_cast<double>(expected.size()) - 1;
  return chi_square / (freedom + 6 * std::sqrt(2 * freedom) + 20);
}

struct Policy {
  std::string_view line;
  std::string_view position;
  std::map<std::string, int> weights;
};

const std::vector<Policy> policies = {
    // A win, whatever could be captured.
    {"breakthrough",
     "...O..../...X..../......../......../......../......../....O.../...X.... b",
     {{"d7c8", 1}, {"d7e8", 1}}},
    {"breakthrough size=5",
     "...../.O.../X..X./..O../..... w",
     {{"c2b1", 1}, {"c2c1", 1}, {"c2d1", 1}}},
    {"breakthrough",
     "......../......../......../..O.O.../...X..../......../......../........ w",
     {{"c5d4", 1}, {"e5d4", 1}}},
    // Else a man on its home row captures, even where it is recaptured, and no other man.
    {"breakthrough",
     "......../......../......../.O....../X......./...O..../....O.../...X.X.. b",
     {{"d1e2", 1}, {"f1e2", 1}}},
    {"breakthrough size=6", "...O../X...X./....../.O..../X...../...... w", {{"d6e5", 1}}},
    // Else by weight: white could recapture on c5, not on e5.
    {"breakthrough",
     "......../......../.O....../..O.O.../...X..../......../......../........ b",
     {{"d4c5", 2}, {"d4d5", 1}, {"d4e5", 5}}},
    // Nobody defends a point of one edge from the other edge.
    {"breakthrough",
     "......../.......O/.......O/O......O/.X....../......../......../........ b",
     {{"b4a5", 5}, {"b4b5", 1}, {"b4c5", 1}}},
    {"breakthrough",
     "......../......../......../......O./X......X/......../......../........ w",
     {{"g5f4", 1}, {"g5g4", 1}, {"g5h4", 5}}},
};

TEST_CASE("Breakthrough::informed_move()") {
  for (const Policy& row : policies) {
    CAPTURE(row.position);
    const auto game = game_at(row.line, row.position);
    CHECK(weights(Picture(*game)) == row.weights);
    CHECK(excess(*game, row.weights, 2000) < 1);
  }
  int urgent = 0;
  for (int size = 5; size <= 8; ++size) {
    const auto game = game_of("breakthrough size=" + std::to_string(size));
    for (Random random(3); !game->result().finished(); game->play(game->random_move(random))) {
      CAPTURE(game->position());
      const auto expected = weights(Picture(*game));
      CHECK(excess(*game, expected, 50) < 1);
      urgent += expected.size() < game->legal_moves().size() ? 1 : 0;
    }
  }
  CHECK(urgent > 4);  // wins and forced captures among them
}

}  // namespace
}  // namespace pitboss::games
