#include <doctest/doctest.h>

#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

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
