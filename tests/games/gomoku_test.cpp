#include "games/gomoku.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "games/boxed_game.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

constexpr std::array<std::pair<int, int>, 4> axes = {{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};

/// How many points in line from (x, y) on hold `own`.
int run_length(const Picture& board, int x, int y, std::pair<int, int> axis, char own) {
  int n = 0;
  while (board.at(x + n * axis.first, y + n * axis.second) == own) ++n;
  return n;
}

/// Whether `own` has a line that wins.
bool has_line(const Picture& board, char own, bool exactly_five) {
  bool found = false;
  board.for_each([&](int x, int y) {
    for (const auto& axis : axes) {
      const bool begins = board.at(x - axis.first, y - axis.second) != own;
      const int n = begins ? run_length(board, x, y, axis, own) : 0;
      found = found || (exactly_five ? n == 5 : n >= 5);
    }
  });
  return found;
}

/// Open windows with 1, 2, 3, 4 stones of black, then of white.
std::array<int, 8> open_windows(const Picture& board) {
  std::array<int, 8> windows{};
  board.for_each([&](int x, int y) {
    for (const auto& [dx, dy] : axes) {
      int black = 0;
      int white = 0;
      int points = 0;
      for (int i = 0; i < 5; ++i) {
        const char c = board.at(x + i * dx, y + i * dy);
        black += c == 'X';
        white += c == 'O';
        points += c != '#';
      }
      if (points < 5) continue;
      if (white == 0 && black >= 1 && black <= 4) ++windows[black - 1];
      if (black == 0 && white >= 1 && white <= 4) ++windows[4 + white - 1];
    }
  });
  return windows;
}

void check_evaluation(const AnyGame& game) {
  const Picture board(game);
  const auto windows = open_windows(board);
  std::array<std::uint16_t, Gomoku::feature_count> features{};
  dynamic_cast<const BoxedGame<Gomoku>&>(game).game().features(features);
  constexpr std::array weight = {2, 8, 32, 128, -2, -8, -32, -128};
  int sum = 0;
  for (int i = 0; i < 8; ++i) {
    CHECK(features[i] == windows[i]);
    sum += weight[i] * windows[i];
  }
  // 400 S / 2M; M is published for 9x9: 127488.
  const int n = board.width();
  const double bound = 256.0 * (n - 3) * (n * n + n - 7);
  const double value = 1 / (1 + std::exp(-400.0 * sum / (2 * bound)));
  CHECK(std::abs(*game.static_value() - value) <= 1e-15);
  if (n == 9) CHECK(bound == 127488);
}

/// What the board shows after a stone of the side that is not to move.
std::string judged(const Picture& board, bool exactly_five) {
  if (has_line(board, other(board.mover()), exactly_five)) {
    return board.mover() == 'X' ? "W+1" : "B+1";
  }
  return board.rows().find('.') == std::string::npos ? "draw" : "";
}

TEST_CASE("Gomoku against a slow reference") {
  for (const std::string rules : {"opening=free", "opening=free line=exactly-five"}) {
    for (const int size : {5, 6, 8, 9, 11, 12, 15, 16, 17, 19}) {
      const std::string line = "gomoku size=" + std::to_string(size) + " " + rules;
      CAPTURE(line);
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        Random random(seed);
        const auto game = game_of(line);
        for (;;) {
          CAPTURE(game->position());
          CHECK(outcome(*game) == judged(Picture(*game), rules.ends_with("exactly-five")));
          if (game->result().finished()) break;
          check_evaluation(*game);
          game->play(game->random_move(random));
        }
      }
    }
  }
}

// More fours than any game has: the window sum is beyond what is usual.
TEST_CASE("Gomoku::static_value() of a large window sum") {
  std::string rows;
  for (int i = 0; i < 3; ++i) rows += "XXXX.XXXX.XXXX.XXXX/.................../";
  for (int i = 0; i < 6; ++i) rows += "O..O..O..O..O..O..O/.................../";
  rows += "O..O..O..O..O..O... ";
  for (const char mover : {'b', 'w'}) {
    std::string position = rows + mover;
    if (mover == 'w') *std::ranges::find(position, 'O') = '.';
    check_evaluation(*game_at("gomoku size=19 opening=free", position));
  }
}

/// A board with `stones` of black on the points of a window except the last, and as many white
/// stones scattered where they make no line.
Picture four_in_line(const AnyGame& empty, int x, int y, std::pair<int, int> axis) {
  Picture board(empty);
  for (int i = 0; i < 5; ++i) board.put(x + i * axis.first, y + i * axis.second, 'X');
  int white = 0;
  for (int i = 0; white < 4; i += 7) {
    const int p = i % (board.width() * board.width());
    const int px = p % board.width();
    const int py = p / board.width();
    if (board.at(px, py) != '.') continue;
    board.put(px, py, 'O');
    ++white;
  }
  board.put(x + 4 * axis.first, y + 4 * axis.second, '.');
  return board;
}

// Every line of five of every point wins, on the smallest board, the default one and the largest.
TEST_CASE("Gomoku::play() completes every line") {
  for (const int size : {5, 9, 19}) {
    CAPTURE(size);
    const auto game = game_of("gomoku opening=free size=" + std::to_string(size));
    const auto empty = game->clone();
    int windows = 0;
    Picture(*empty).for_each([&](int x, int y) {
      for (const auto& [dx, dy] : axes) {
        if (!Picture(*empty).on_board(x + 4 * dx, y + 4 * dy)) continue;
        ++windows;
        game->set_position(four_in_line(*empty, x, y, {dx, dy}).rows() + " b");
        game->play(point_text(x + 4 * dx, y + 4 * dy));
        CHECK(outcome(*game) == "B+1");
      }
    });
    CHECK(windows == 4 * (size - 4) * (size - 2));
  }
}

struct Row {
  std::string_view game;
  std::string_view position;
  std::string_view move;
  std::string_view outcome;
};

const std::vector<Row> rows = {
    // Six in line win only where more than five do.
    {"gomoku",
     "O.O.O.O.O/........./........./........./........./........./........./........./"
     "XX.XXX... b",
     "c1", "B+1"},
    {"gomoku line=exactly-five",
     "O.O.O.O.O/........./........./........./........./........./........./........./"
     "XX.XXX... b",
     "c1", ""},
    {"gomoku line=exactly-five",
     "O.O.O.O../........./........./........./........./........./........./........./"
     "XX.XX.... b",
     "c1", "B+1"},
    // A stone that makes six one way and five another wins.
    {"gomoku line=exactly-five",
     "O.O.O.O.O/.O.O.O.O./........./........./..X....../..X....../..X....../..X....../"
     "XX.XXX... b",
     "c1", "B+1"},
    // Four win nothing, nor do five round the edge.
    {"gomoku",
     "O.O.O..../........./........./........./........./........./........./........./"
     "XX.X..... b",
     "c1", ""},
    {"gomoku",
     "O.O.O.O../........./........./........./........./........./........./XX......./"
     "......XX. b",
     "j1", ""},
    // The last stone fills the board: it still wins, else the game is drawn.
    {"gomoku size=5 opening=free", "XOOXO/OXOOX/OXOXO/XOOOX/XXXX. b", "e1", "B+1"},
    {"gomoku size=5 opening=free", "XOXXO/OXOOX/OXOXO/XOOOX/XXOX. b", "e1", "draw"},
};

TEST_CASE("Gomoku::result()") {
  for (const Row& row : rows) {
    CAPTURE(row.game);
    CAPTURE(row.position);
    const auto game = game_at(row.game, row.position);
    CHECK(outcome(*game).empty());
    game->play(row.move);
    CHECK(outcome(*game) == row.outcome);
  }
}

// Black begins in the centre; black's second stone stays out of the central 5x5.
TEST_CASE("Gomoku::legal_moves() in the opening") {
  struct Opening {
    std::string_view game;
    std::string_view moves;
    std::size_t legal;
    std::string_view refused;
  };
  const std::vector<Opening> openings = {
      {"gomoku", "", 1, "e4"},
      {"gomoku", "e5", 80, "e5"},
      {"gomoku", "e5 e6", 81 - 25, "g7"},
      {"gomoku", "e5 a1", 81 - 25 - 1, "c3"},
      {"gomoku", "e5 a1 h8", 78, "h8"},
      {"gomoku", "e5 a1 h8 b1 e4", 76, "e4"},
      {"gomoku size=7", "", 1, "a1"},
      {"gomoku size=7", "d4 d5", 24, "b2"},
      // An even size has no middle; the centre is the point above and to the right of it.
      {"gomoku size=8", "e5 d4", 64 - 25, "c3"},
      {"gomoku size=19", "k10 a1", 361 - 25 - 1, "m12"},
      {"gomoku opening=free", "", 81, "j10"},
      {"gomoku opening=free", "e5 a1", 79, "e5"},
      {"gomoku size=5 opening=free", "", 25, "f1"},
      {"gomoku size=19 opening=free", "", 361, "u1"},
  };
  for (const Opening& row : openings) {
    CAPTURE(row.game);
    CAPTURE(row.moves);
    const auto game = game_of(row.game);
    play_all(*game, row.moves);
    CHECK(game->legal_moves().size() == row.legal);
    CHECK_THROWS_AS(game->play(row.refused), BadGame);
  }
  for (const std::string_view bad : {"gomoku size=5", "gomoku size=6", "gomoku size=4 opening=free",
                                     "gomoku size=20", "gomoku opening=renju", "gomoku line=six"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(static_cast<void>(game_of(bad)), BadGame);
  }
}

TEST_CASE("Gomoku::with()") {
  // A finished game can be set up; so can a position that the opening rule would not have led to.
  CHECK(outcome(*game_at("gomoku size=5 opening=free", "OOOO./...../...../...../XXXXX w")) ==
        "B+1");
  CHECK(game_at("gomoku size=7", "X....../......./......./......./......./......./......O b")
            ->legal_moves()
            .size() == 49 - 25 - 2);
  for (const std::string_view impossible : {
           "X..../...../...../...../..... b",    // white has not moved
           "O..../...../...../...../..... b",    // white does not begin
           "XXXXX/...../OOOOO/...../..... b",    // both have won
           "XXXXX/...../OOO.O/O..../..... b",    // the side to move has won
           "...../...../...../...../..... b 1",  // no third part
       }) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("gomoku size=5 opening=free")->set_position(impossible), BadGame);
  }
}

}  // namespace
}  // namespace pitboss::games
