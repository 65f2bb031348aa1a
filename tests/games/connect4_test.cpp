#include "games/connect4.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "games/boxed_game.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

/// How many windows (four points in line) hold `n` stones of one kind and else empty points.
int windows_with(const Picture& board, int n, char stone) {
  constexpr std::array<std::pair<int, int>, 4> axes = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
  int found = 0;
  board.for_each([&](int x, int y) {
    for (const auto& [dx, dy] : axes) {
      std::string window;
      for (int i = 0; i < 4; ++i) window += board.at(x + i * dx, y + i * dy);
      const bool open = std::ranges::count(window, '.') == 4 - n;
      found += open && std::ranges::count(window, stone) == n ? 1 : 0;
    }
  });
  return found;
}

std::string judged(const Picture& board) {
  if (windows_with(board, 4, 'X') > 0) return "B+1";
  if (windows_with(board, 4, 'O') > 0) return "W+1";
  return board.rows().find('.') == std::string::npos ? "draw" : "";
}

void check_evaluation(const AnyGame& game) {
  const Picture board(game);
  std::array<std::uint16_t, Connect4::feature_count> features{};
  dynamic_cast<const BoxedGame<Connect4>&>(game).game().features(features);
  constexpr std::array weight = {2, 6, 30, -2, -6, -30};
  int sum = 0;
  for (int i = 0; i < 6; ++i) {
    const int windows = windows_with(board, 1 + i % 3, i < 3 ? 'X' : 'O');
    CHECK(features[i] == windows);
    sum += weight[i] * windows;
  }
  CHECK(std::abs(*game.static_value() - 1 / (1 + std::exp(-sum / 38.25))) <= 1e-15);
}

/// Whether a `stone` on the empty point (x, y) would complete four.
bool is_threat(const Picture& board, int x, int y, char stone) {
  if (board.at(x, y) != '.') return false;
  Picture next = board;
  next.put(x, y, stone);
  return windows_with(next, 4, stone) > windows_with(board, 4, stone);
}

/// What Connect4::tuned_value() says, point by point.
double tuned_reference(const Picture& board) {
  const char mover = board.mover();
  const char other = mover == 'X' ? 'O' : 'X';
  bool wins = false;
  bool loses = false;
  int to_block = 0;
  double sum = 0;
  board.for_each([&](int x, int y) {
    const bool can_play = y == 0 || board.at(x, y - 1) != '.';
    for (const char stone : {'X', 'O'}) {
      if (!is_threat(board, x, y, stone)) continue;
      const char enemy = stone == 'X' ? 'O' : 'X';
      if (can_play) {
        wins = wins || stone == mover;
        to_block += stone == other ? 1 : 0;
        loses = loses || (stone == other && is_threat(board, x, y + 1, other));
        continue;
      }
      bool is_reached = true;
      for (int below = y - 1; below > 0 && board.at(x, below - 1) == '.'; --below) {
        is_reached = is_reached && !is_threat(board, x, below, enemy);
      }
      if (!is_reached) continue;
      const bool is_odd = y % 2 == 0;
      sum += stone == 'X' ? (is_odd ? 2.71 : 0.20) : (is_odd ? -1.05 : -1.56);
    }
  });
  if (wins) return mover == 'X' ? 1 : 0;
  if (loses || to_block > 1) return mover == 'X' ? 0 : 1;
  for (const char stone : {'X', 'O'}) {
    const int sign = stone == 'X' ? 1 : -1;
    sum += sign * (0.08 * windows_with(board, 1, stone) + 0.26 * windows_with(board, 2, stone));
    if (stone == mover) sum += sign * (0.36 - (to_block > 0 ? 0.60 : 0));
  }
  return 1 / (1 + std::exp(-sum));
}

TEST_CASE("Connect4::tuned_value()") {
  int decided = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const auto game = game_of("connect4");
    for (; !game->result().finished(); game->play(game->random_move(random))) {
      CAPTURE(game->position());
      const double value = dynamic_cast<const BoxedGame<Connect4>&>(*game).game().tuned_value();
      CHECK(std::abs(value - tuned_reference(Picture(*game))) <= 1e-12);
      decided += value == 0 || value == 1 ? 1 : 0;
    }
  }
  CHECK(decided > 200);
}

TEST_CASE("Connect4 against a slow reference") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const auto game = game_of("connect4");
    for (;;) {
      CAPTURE(game->position());
      CHECK(outcome(*game) == judged(Picture(*game)));
      if (game->result().finished()) break;
      check_evaluation(*game);
      game->play(game->random_move(random));
    }
  }
}

struct Row {
  std::string_view position;
  std::string_view move;
  std::string_view outcome;
};

const std::vector<Row> rows = {
    // Four in line in each direction.
    {"......./......./......./......./OOO..../XXX.... b", "d1", "B+1"},
    {"......./......./......./X....../X...O../X...OO. b", "a4", "B+1"},
    {"......./......./......./..XX.../.XOO..O/XOXOX.O b", "d4", "B+1"},
    {"......./......./......./...XX../O..OOX./O.XOXOX b", "d4", "B+1"},
    // Five in line win as well.
    {"......./......./......./......./OOO.O../XXX.X.. b", "d1", "B+1"},
    // Neither three nor four round the edge win.
    {"......./......./......./......./OO...../XX..... b", "c1", ""},
    {"......./......./......./......./XX..OO./OO..XX. b", "g1", ""},
    // The last stone fills the board: it still wins, else the game is drawn.
    {"OXX.XOX/OXXOOXX/XOOOXOO/XXXOXXO/OXOXXXO/OOXOOOX w", "d6", "W+1"},
    {"X.XOXOO/OOOXXXO/XXXOOOX/OOOXXXO/OXOXOXO/XOXOXXX w", "b6", "draw"},
};

TEST_CASE("Connect4::result()") {
  for (const Row& row : rows) {
    CAPTURE(row.position);
    const auto game = game_at("connect4", row.position);
    CHECK(outcome(*game).empty());
    game->play(row.move);
    CHECK(outcome(*game) == row.outcome);
  }
}

// Four in line on the last stone of either colour also ends a game that is set up by hand.
TEST_CASE("Connect4::with()") {
  CHECK(outcome(*game_at("connect4", "......./......./......./......./OOO..../XXXX... w")) ==
        "B+1");
  for (const std::string_view impossible : {
           "......./......./......./......./......./X...... b",    // white has not moved
           "......./......./......./......./X....../O...... w",    // black must lead by one
           "......./......./......./......./X....../....... w",    // hangs in the air
           "......./......./......./......./OOO..../XXXX.O. b",    // the game was over
           "......./......./......./......./OOOO.../XXXX..X w",    // both have won
           "......./......./......./......./......./....... b 1",  // no third part
           "......./......./......./......./......./........ b",   // too wide
           "......./......./......./......./....... b",            // a row is missing
           "......./......./......./......./......./......Z b",    // no such stone
       }) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("connect4")->set_position(impossible), BadGame);
  }
}

// A column that is full takes no stone; a column letter alone names the drop.
TEST_CASE("Connect4::legal_moves()") {
  const auto game = game_of("connect4");
  CHECK(moves_of(*game) == "a1 b1 c1 d1 e1 f1 g1");
  play_all(*game, "a a2 A a4 a5 a6");
  CHECK(moves_of(*game) == "b1 c1 d1 e1 f1 g1");
  CHECK_THROWS_AS(game->play("a"), BadGame);
  CHECK_THROWS_AS(game->play("a7"), BadGame);
  CHECK_THROWS_AS(game->play("b2"), BadGame);
  CHECK(game->canonical("G") == "g1");
}

}  // namespace
}  // namespace pitboss::games
