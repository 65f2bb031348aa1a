#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "tests/games/set_up.hpp"
#include "tests/server/session/gogui_client.hpp"

using namespace pitboss;
using tests::contains;
using tests::GoGui;

TEST_CASE("gogui-rules: identity and size") {
  struct Row {
    std::string_view game;
    std::string_view id;
    std::string_view size;
  };
  for (const Row& row : {Row{"connect4", "Connect4", "7"}, Row{"othello", "Othello", "8"},
                         Row{"othello size=6", "Othello", "6"}, Row{"gomoku", "Gomoku", "9"},
                         Row{"gomoku size=15 opening=free", "Gomokuopeningfree", "15"},
                         Row{"gomoku line=exactly-five", "Gomokulineexactlyfive", "9"}}) {
    CAPTURE(row.game);
    GoGui c(row.game);
    CHECK(c.ask("gogui-rules_game_id") == row.id);
    CHECK(c.ask("gogui-rules_board_size") == row.size);
    // What GoGui does next.
    CHECK(c.ask("boardsize " + std::string(row.size)).empty());
    CHECK(c.ask("clear_board").empty());
    CHECK(c.ask("gogui-rules_setup").empty());
  }
}

TEST_CASE("gogui-rules_board: a board that is no square has rows without points on top") {
  GoGui c("connect4");
  c.ask("play b d1");
  c.ask("play w d2");
  CHECK(c.ask("gogui-rules_board") ==
        "\n? ? ? ? ? ? ?"
        "\n. . . . . . ."
        "\n. . . . . . ."
        "\n. . . . . . ."
        "\n. . . . . . ."
        "\n. . . O . . ."
        "\n. . . X . . .");
  CHECK(c.ask("gogui-rules_board_gfx") == "COLOR #7f7f7f A7 B7 C7 D7 E7 F7 G7");
}

TEST_CASE("gogui-rules: GoGui's points are capitals") {
  GoGui c("othello");
  CHECK(c.ask("gogui-rules_legal_moves") == "C5 D6 E3 F4");
  CHECK(c.ask("gogui-rules_board_gfx").empty());
  c.ask("position XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/OXXXXXX. b");
  CHECK(c.ask("gogui-rules_legal_moves") == "pass");
  CHECK(c.ask("play B PASS").empty());
}

TEST_CASE("gogui-rules: the end of a game") {
  GoGui c("connect4");
  CHECK(c.ask("gogui-rules_final_result") == "The game is not over.");
  c.ask("gogui-play_sequence b a1 w b1 b a2 w b2 b a3 w b3 b a4");
  CHECK(c.ask("gogui-rules_legal_moves").empty());
  CHECK(c.ask("gogui-rules_final_result") == "Black wins.");
  c.ask("game othello size=4");
  c.ask("position XXXX/XXXX/XXXX/XXOO w");
  CHECK(c.ask("gogui-rules_final_result") == "Black wins by 12 discs.");
  c.ask("position XXXX/XXXX/OOOO/OOOO w");
  CHECK(c.ask("gogui-rules_final_result") == "The game is a draw.");
  c.ask("game fanorona");
  c.ask("position ........./........./...X...../........./......... w");
  CHECK(c.ask("gogui-rules_final_result") == "Black wins by 1 man.");
}

TEST_CASE("gogui: colours that GoGui does not know are black and white in turn") {
  // The seats of two, three and four players, as GoGui names them.
  for (const auto& [players, turns] : {std::pair{"2", "BWBW"}, {"3", "BWBBWB"}, {"4", "BWBWBW"}}) {
    GoGui c("rolit players=" + std::string(players));
    CAPTURE(players);
    for (const char turn : std::string_view(turns)) {
      CHECK(c.ask("gogui-rules_side_to_move") == (turn == 'B' ? "black" : "white"));
      const std::string point = games::split(c.ask("gogui-rules_legal_moves"))[0];
      CHECK(c.ask("play " + std::string(1, turn) + " " + point).empty());
    }
    CHECK(c.ask("genmove " + c.ask("gogui-rules_side_to_move")).size() == 2);
  }
  GoGui c("rolit");
  CHECK(c.ask("play Black F3").empty());
  CHECK(contains(c.refused("play B C6"), "illegal move"));
  CHECK(contains(c.refused("play GREY C6"), "expected a colour"));
}

TEST_CASE("gogui-rules_board_gfx: hex shows whose sides are whose") {
  CHECK(GoGui("hex size=4").ask("gogui-rules_board_gfx") ==
        "COLOR #404040 B1 B4 C1 C4\nCOLOR #ffffff A2 D2 A3 D3");
}

TEST_CASE("gogui-rules_board_gfx: the points that may come next are marked") {
  for (const std::string_view game : {"breakthrough", "amazons", "cannon", "fanorona",
                                      "chinesecheckers", "teeko", "knightthrough"}) {
    CAPTURE(game);
    GoGui c(game);
    bool has_begun = false;
    for (int clicks = 0; clicks < 24; ++clicks) {
      const std::string legal = c.ask("gogui-rules_legal_moves");
      const std::string gfx = c.ask("gogui-rules_board_gfx");
      const bool marks = contains(gfx, "SQUARE ");
      CHECK(contains(gfx, "CIRCLE ") == marks);
      if (marks) CHECK(contains(gfx + "\n", "CIRCLE " + legal + "\n"));
      has_begun = has_begun || marks;
      const auto points = games::split(legal);
      c.ask("play " + c.ask("gogui-rules_side_to_move") + " " + points[points.size() / 2]);
    }
    CHECK(has_begun);
  }
}
