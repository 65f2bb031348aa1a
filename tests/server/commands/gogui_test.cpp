#include <doctest/doctest.h>

#include <chrono>

#include "engine/search/slice.hpp"
#include "games/any_game.hpp"
#include "games/grid.hpp"
#include "tests/games/set_up.hpp"
#include "tests/server/session/gogui_client.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using tests::contains;
using tests::Conversation;
using tests::GoGui;

TEST_CASE("gogui: moves of several points are made point by point") {
  GoGui c("breakthrough size=6");
  CHECK(c.ask("gogui-rules_legal_moves") == "A2 B2 C2 D2 E2 F2");
  CHECK(c.ask("play B D2").empty());
  CHECK(c.ask("gogui-rules_side_to_move") == "black");
  CHECK(c.ask("gogui-rules_legal_moves") == "C3 D3 E3");
  CHECK(c.ask("gogui-rules_board_gfx") == "SQUARE D2\nCIRCLE C3 D3 E3");
  // A rule engine hears a move twice, and in the wrong turn.
  CHECK(contains(c.refused("play B D2"), "illegal move"));
  CHECK(contains(c.refused("play W D5"), "illegal move: it is black's turn"));
  CHECK(contains(c.refused("play B A2"), "illegal move"));
  CHECK(contains(c.refused("play B A2A3"), "illegal move: a move of d2 has begun"));
  CHECK(contains(c.refused("play B 77"), "syntax error"));
  CHECK(contains(c.ask("legal_moves"), "a2a3"));  // whole moves, as ever
  CHECK(c.ask("play B E3").empty());
  CHECK(contains(c.refused("play B E3"), "illegal move: it is white's turn"));
  CHECK(c.ask("moves") == "d2e3");
  CHECK(c.ask("play W D5D4").empty());  // a whole move
  CHECK(c.ask("moves") == "d2e3 d5d4");
  // Back: half a move, half a move, ...
  CHECK(c.ask("undo").empty());
  CHECK(c.ask("moves") == "d2e3");
  CHECK(c.ask("gogui-rules_board_gfx") == "SQUARE D5\nCIRCLE C4 D4 E4");
  CHECK(c.ask("play W D5D4").empty());  // a whole move that agrees with its beginning
  CHECK(c.ask("gogui-rules_board_gfx").empty());
  CHECK(c.ask("gg-undo 3").empty());
  CHECK(c.ask("moves").empty());
  CHECK(c.ask("gogui-rules_board_gfx") == "SQUARE D2\nCIRCLE C3 D3 E3");
}

TEST_CASE("gogui: what changes the game otherwise forgets the move that has begun") {
  for (const std::string_view line :
       {"clear_board", "boardsize 6", "game breakthrough size=6", "game othello",
        "position ....../.O..../....../....../..X.../...... b"}) {
    CAPTURE(line);
    GoGui c("breakthrough size=6");
    c.ask("play B D2");
    c.ask(line);
    CHECK(c.ask("gogui-rules_board_gfx").empty());
  }
  GoGui c("breakthrough size=6");
  c.ask("play B D2D3");
  c.ask("play W D5");
  c.ask("dialect plain");
  c.ask("undo");
  CHECK(c.ask("moves").empty());
  CHECK(c.ask("gogui-rules_board_gfx").empty());
}

TEST_CASE("gogui: genmove searches once and hands out the points of its move") {
  GoGui c("breakthrough size=6");
  const std::string from = c.ask("genmove b");
  CHECK(c.ask("moves").empty());
  const auto search = c.ask("last_search");
  const std::string to = c.ask("genmove b");
  CHECK(c.ask("moves") == from + to);
  CHECK(c.ask("last_search") == search);
  CHECK(contains(search, "\"move\":\"" + from + to + "\""));
  CHECK(c.ask("gogui-rules_side_to_move") == "white");
  // After an undo it thinks again.
  c.ask("undo");
  c.ask("undo");
  c.ask("setoption simulations 50");
  c.ask("genmove b");
  CHECK(contains(c.ask("last_search"), "\"simulations\":50"));
  CHECK(contains(c.refused("genmove w"), "illegal move: it is black's turn"));
}

TEST_CASE("gogui: genmove goes on with a point that the user has chosen") {
  GoGui c("breakthrough size=6");
  for (const std::string_view man : {"A2", "B2", "C2", "D2", "E2", "F2"}) {
    c.ask("clear_board");
    c.ask("play b " + std::string(man));
    const std::string next = c.ask("reg_genmove b");
    CHECK(contains(c.ask("gogui-rules_board_gfx"), man));  // not played
    const std::string to = c.ask("genmove b");
    CHECK(to == next);
    CHECK(c.ask("moves") == std::string(1, char(man[0] + 32)) + "2" + to);
    c.ask("undo");
    // For whoever plays whole moves too.
    c.ask("dialect plain");
    CHECK(c.ask("genmove b").starts_with(std::string(1, char(man[0] + 32)) + "2"));
    c.ask("dialect gogui");
  }
}

TEST_CASE("gogui: an engine plays itself, point by point, to the end") {
  GoGui c("knightthrough size=5");
  c.ask("setoption simulations 10");
  int points = 0;
  for (; !c.ask("gogui-rules_legal_moves").empty(); ++points) {
    REQUIRE(points < 1000);
    const std::string legal = " " + c.ask("gogui-rules_legal_moves") + " ";
    std::string move = c.ask("genmove " + c.ask("gogui-rules_side_to_move"));
    move[0] = static_cast<char>(std::toupper(move[0]));
    REQUIRE(contains(legal, " " + move + " "));
  }
  CHECK(points % 2 == 0);
  CHECK(games::split(c.ask("moves")).size() == static_cast<std::size_t>(points) / 2);
  CHECK(contains(c.ask("gogui-rules_final_result"), " wins"));
  CHECK(contains(c.ask("genmove b") + c.ask("genmove w"), "resign"));
}

TEST_CASE("gogui-play_sequence, gg-undo: all or nothing") {
  GoGui c("breakthrough size=6");
  CHECK(c.ask("gogui-play_sequence").empty());
  CHECK(c.ask("gogui-play_sequence B D2 B D3 W A5 W A4 B E2").empty());
  CHECK(c.ask("moves") == "d2d3 a5a4");
  CHECK(contains(c.ask("gogui-rules_board_gfx"), "SQUARE E2\n"));
  CHECK(contains(c.refused("gogui-play_sequence B E3 W B5 W B5"), "illegal move"));
  CHECK(contains(c.refused("gogui-play_sequence B E3 W"), "syntax error"));
  CHECK(contains(c.refused("gogui-play_sequence B E3 green B5"), "syntax error"));
  CHECK(contains(c.ask("gogui-rules_board_gfx"), "SQUARE E2\n"));
  CHECK(c.refused("gg-undo 6") == "cannot undo");
  CHECK(contains(c.refused("gg-undo -1"), "syntax error"));
  CHECK(contains(c.ask("gogui-rules_board_gfx"), "SQUARE E2\n"));
  CHECK(c.ask("gg-undo 0").empty());
  CHECK(c.ask("gg-undo").empty());
  CHECK(c.ask("gogui-rules_board_gfx").empty());
  CHECK(c.ask("gg-undo 4").empty());
  CHECK(c.ask("moves").empty());
  // In the plain dialect both count whole moves.
  c.ask("dialect plain");
  CHECK(c.ask("gogui-play_sequence b d2d3 w a5a4").empty());
  CHECK(c.refused("gg-undo 3") == "cannot undo");
  CHECK(c.ask("gg-undo 2").empty());
  CHECK(c.ask("moves").empty());
}

TEST_CASE("gg-undo: any number of points, at once or one by one") {
  constexpr std::string_view sequence =
      "gogui-play_sequence B D2 B D3 W A5 W A4 B E2 B E3 W B5 W B4 B A2";
  GoGui at_once("breakthrough size=6");
  GoGui one_by_one("breakthrough size=6");
  one_by_one.ask(sequence);
  for (int points = 0; points <= 9; ++points) {
    CAPTURE(points);
    at_once.ask("clear_board");
    at_once.ask(sequence);
    CHECK(at_once.ask("gg-undo " + std::to_string(points)).empty());
    CHECK(at_once.ask("moves") == one_by_one.ask("moves"));
    CHECK(at_once.ask("get_position") == one_by_one.ask("get_position"));
    CHECK(at_once.ask("gogui-rules_board_gfx") == one_by_one.ask("gogui-rules_board_gfx"));
    if (points < 9) one_by_one.ask("undo");
  }
  CHECK(one_by_one.refused("undo") == "cannot undo");
}

TEST_CASE("gg-undo: takes a long game back in about the time of playing it, not in its square") {
  constexpr int side = 19;
  GoGui c("gomoku size=19 opening=free");
  // A full board without five in line.
  std::vector<std::string> black;
  std::vector<std::string> white;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      ((x + 2 * y) % 4 < 2 ? black : white).push_back(games::point_text(x, y));
    }
  }
  std::string sequence = "gogui-play_sequence";
  for (std::size_t i = 0; i < black.size(); ++i) {
    sequence += " b " + black[i];
    if (i < white.size()) sequence += " w " + white[i];
  }
  const auto seconds = [&](const std::string& line) {
    const auto begun = engine::thread_time();
    CHECK(c.ask(line).empty());
    return std::chrono::duration<double>(engine::thread_time() - begun).count();
  };
  const double forward = seconds(sequence);
  CHECK(games::split(c.ask("moves")).size() == side * side);
  CHECK(seconds("gg-undo 361") < 10 * forward);
  CHECK(c.ask("moves").empty());
}

TEST_CASE("play: passes behind a game's end are not taken for ever") {
  for (const std::string_view dialect : {"plain", "gogui"}) {
    Conversation c;
    c.ask("position ......./......./......./......./OOO..../XXX.... b");
    c.ask("play b d1");
    c.ask("dialect " + std::string(dialect));
    for (int i = 0; i < 100; ++i) CHECK(c.ask("play w pass").empty());
    CHECK(contains(c.refused("play w pass"), "illegal move"));
    CHECK(c.ask("genmove b") == "pass");
    CHECK(games::split(c.ask("moves")).size() == 101);
    CHECK(c.ask("gg-undo 101").empty());
    CHECK(c.ask("moves").empty());
  }
}

TEST_CASE("gogui-setup: a position of stones") {
  GoGui c("othello size=6");
  CHECK(c.ask("gogui-setup B C3 B D3 W C4 W D4").empty());
  CHECK(c.ask("get_position").starts_with("....../....../..OO../..XX../....../...... b"));
  CHECK(c.ask("gogui-setup_player W").empty());
  CHECK(c.ask("get_position").starts_with("....../....../..OO../..XX../....../...... w"));
  CHECK(c.ask("gogui-setup_player white").empty());
  CHECK(contains(c.refused("gogui-setup B A1"), "board not empty"));
  c.ask("play w " + games::split(c.ask("legal_moves"))[0]);
  CHECK(contains(c.refused("gogui-setup_player B"), "moves have been played"));
  CHECK(contains(c.refused("gogui-setup B A1"), "board not empty"));
}

TEST_CASE("gogui-setup: refuses what the game does not allow, and says why") {
  GoGui c("connect4");
  CHECK(contains(c.refused("gogui-setup B D2"),
                 "cannot set up: a stone has an empty point below it"));
  CHECK(contains(c.refused("gogui-setup B D7"), "cannot set up: 'D7' is not on the board"));
  CHECK(contains(c.refused("gogui-setup B pass"), "syntax error: not a point: 'pass'"));
  CHECK(contains(c.refused("gogui-setup B D1D2"), "syntax error: not a point: 'D1D2'"));
  CHECK(contains(c.refused("gogui-setup B D1 W D1"), "cannot set up: D1 is there twice"));
  CHECK(contains(c.refused("gogui-setup B"), "syntax error"));
  CHECK(contains(c.refused("gogui-setup D1 B"), "syntax error"));
  CHECK(contains(c.refused("gogui-setup B A1 B B1 B C1"), "cannot set up"));
  CHECK(c.ask("gogui-setup B D1").empty());  // white to move is the only way
  CHECK(c.ask("get_position") == "......./......./......./......./......./...X... w");
  CHECK(contains(c.refused("gogui-setup_player B"), "cannot set up"));
  CHECK(contains(c.refused("gogui-setup_player"), "syntax error"));
}

TEST_CASE("gogui-title") {
  CHECK(GoGui("othello size=6").ask("gogui-title") == "Pitboss: othello size=6");
  CHECK(GoGui("connect4").ask("gogui-title") == "Pitboss: connect4");
}

TEST_CASE("session: HexGui's swap-pieces means one of two things") {
  Conversation c;
  const auto begin = [&](const std::string& game) {
    c.ask("game " + game);
    c.ask("dialect hexgui");
    c.ask("play black a2");
  };
  const std::string before = "...../...../...../X..../..... w";
  const std::string after = "...../...../...../...../.O... b";
  for (const std::string game : {"hex size=5 swap=off", "hex size=5 swap=on"}) {
    CAPTURE(game);
    // The stone changes colour and place, and black goes on.
    begin(game);
    c.ask("play white swap-pieces");
    CHECK(c.ask("get_position") == after);
    c.ask("play black c3");
    CHECK(c.ask("moves") == "a2 swap-pieces c3");
    c.ask("gg-undo 2");
    CHECK(c.ask("get_position") == before);
    // The players change sides: white goes on, by a move of its own or of the engine.
    for (const char* next : {"play white c3", "genmove white"}) {
      begin(game);
      c.ask("setoption simulations 20");
      c.ask("play white swap-pieces");
      c.ask(next);
      const std::string moves = c.ask("moves");
      CHECK(moves.starts_with("a2 "));
      CHECK_FALSE(contains(moves, "swap"));
      CHECK(contains(c.ask("get_position"), " b"));
      // As many moves are taken back as were made.
      c.ask("undo");
      CHECK(c.ask("get_position") == before);
      c.ask("undo");
      CHECK(c.ask("get_position") == before);
      c.ask("undo");
      CHECK(c.ask("moves").empty());
      CHECK(contains(c.refused("undo"), "cannot undo"));
    }
    // It is black's stone that is swapped, at white's first move.
    begin(game);
    CHECK(contains(c.refused("play black swap-pieces"), "illegal move"));
    c.ask("play white c3");
    CHECK(contains(c.refused("play black swap-pieces"), "illegal move"));
    // The next game has the rule that this one began with.
    begin(game);
    c.ask("play white swap-pieces");
    c.ask("clear_board");
    CHECK(c.ask("game") == game);
  }
  // A sequence that fails leaves nothing: neither a swap, nor that the players have changed sides.
  begin("hex size=5 swap=on");
  c.ask("play white swap-pieces");
  CHECK(contains(c.refused("gogui-play_sequence white c3 black c3"), "illegal move"));
  CHECK(c.ask("game") == "hex size=5 swap=pieces");
  CHECK(c.ask("get_position") == after);
  c.ask("play white c3");
  CHECK(contains(c.refused("gogui-play_sequence black b1 white b2 black b2"), "illegal move"));
  c.ask("gg-undo 3");
  CHECK(contains(c.refused("undo"), "cannot undo"));
  begin("hex size=5 swap=off");
  CHECK(contains(c.refused("gogui-play_sequence white swap-pieces white c3 black c3"), "illegal"));
  CHECK(c.ask("game") == "hex size=5 swap=off");
  c.ask("undo");
  CHECK(contains(c.refused("undo"), "cannot undo"));
  // The engine swaps in a game that has the rule, and as HexGui does.
  const auto engine_moves = [&](const std::string& game, const std::string& first) {
    c.ask("game " + game);
    c.ask("play black " + first);
    c.ask("setoption simulations 3000");
    c.ask("setoption seed 1");
    return c.ask("genmove white");
  };
  CHECK(engine_moves("hex size=3 swap=on", "b2") == "swap-pieces");
  CHECK(c.ask("get_position") == ".../.O./... b");
  CHECK(engine_moves("hex size=3 swap=off", "b2") != "swap-pieces");
  CHECK(engine_moves("hex size=5 swap=on", "d2") == "swap-pieces");
  CHECK(c.ask("get_position") == "...../.O.../...../...../..... b");
}
