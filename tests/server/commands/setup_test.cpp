#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::string_literals;
using tests::contains;
using tests::Conversation;

TEST_CASE("session: handicap") {
  Conversation c;
  c.ask("game atarigo size=9");
  CHECK(c.ask("fixed_handicap 5") == "c3 g7 c7 g3 e5");
  CHECK(c.ask("get_position") ==
        "........./........./..X...X../........./....X..../........./..X...X../........./......... "
        "w");
  CHECK(c.refused("fixed_handicap 2") == "board not empty");
  CHECK(c.refused("undo") == "cannot undo");  // they are no moves
  CHECK(contains(c.refused("play b a1"), "white's turn"));
  CHECK(c.ask("play w a1").empty());
  CHECK(c.ask("clear_board").empty());
  CHECK(c.ask("place_free_handicap 80") == "c3 g7 c7 g3 c5 g5 e3 e7 e5");
  CHECK(c.ask("clear_board").empty());
  for (const char* stones : {"0", "1", "10", "361", "2147483647"}) {
    CHECK(c.refused("fixed_handicap "s + stones) == "invalid number of stones");
  }
  for (const char* stones : {"0", "1", "81", "2147483647"}) {
    CHECK(c.refused("place_free_handicap "s + stones) == "invalid number of stones");
  }
  CHECK(contains(c.refused("fixed_handicap"), "syntax error"));
  CHECK(contains(c.refused("fixed_handicap two"), "syntax error"));
  CHECK(contains(c.refused("set_free_handicap"), "bad vertex list"));
  CHECK(contains(c.refused("set_free_handicap d4"), "bad vertex list"));
  CHECK(contains(c.refused("set_free_handicap d4 d4"), "bad vertex list: d4 is there twice"));
  CHECK(contains(c.refused("set_free_handicap d4 pass"), "bad vertex list: not a point"));
  CHECK(contains(c.refused("set_free_handicap d4 k1"), "bad vertex list: 'k1' is not on"));
  CHECK(c.ask("set_free_handicap D4 a9 e1").empty());
  CHECK(contains(c.ask("showboard"), "white to move"));
  CHECK(c.refused("set_free_handicap a1 a2") == "board not empty");
  // Small and even boards have four such points at most, very small ones none.
  for (const char* size : {"7", "8", "10"}) {
    c.ask("boardsize "s + size);
    CHECK(c.refused("fixed_handicap 5") == "invalid number of stones");
    CHECK_FALSE(c.ask("fixed_handicap 4").empty());
  }
  c.ask("boardsize 6");
  CHECK(c.refused("fixed_handicap 2") == "invalid number of stones");
  // Other games have none, and say so.
  c.ask("game gomoku");
  CHECK(contains(c.refused("fixed_handicap 2"), "gomoku has no handicap"));
  c.ask("game othello");
  CHECK(c.refused("fixed_handicap 2") == "board not empty");
}

TEST_CASE("session: set_position") {
  Conversation c;
  c.ask("game gomoku");
  c.ask("play b e5");
  CHECK(c.ask("set_position b a1 w B1").empty());
  CHECK(c.ask("get_position").ends_with("/XO....... b"));
  CHECK(c.ask("moves").empty());
  CHECK(c.ask("set_position b a1 w b1 b c1").empty());
  CHECK(c.ask("get_position").ends_with("/XOX...... w"));  // black cannot be to move
  CHECK(contains(c.refused("set_position b a1 w"), "syntax error"));
  CHECK(contains(c.refused("set_position b a1 w a1"), "a1 is there twice"));
  CHECK(contains(c.refused("set_position b k1"), "not on the board"));
  CHECK(contains(c.refused("set_position b pass"), "not a point"));
  CHECK(contains(c.refused("set_position green a1"), "syntax error"));
  CHECK_FALSE(c.refused("set_position w a1 w b1").empty());
  CHECK(c.ask("set_position").empty());
  CHECK(c.ask("legal_moves") == "e5");
}

TEST_CASE("session: points set up are written as the connection writes them") {
  Conversation c;
  c.ask("game atarigo size=9");
  c.ask("dialect hexgui");  // columns with i, the first row on top
  CHECK(c.ask("fixed_handicap 3") == "c7 g3 c3");
  CHECK(c.ask("final_status_list alive") == "c7\nc3\ng3");
  c.ask("clear_board");
  CHECK(c.ask("set_free_handicap i1 a2").empty());
  CHECK(c.ask("get_position").starts_with("........X/X......../"));
  CHECK(contains(c.refused("set_position b j1"), "not on the board"));
  CHECK(c.ask("set_position b I1 w A2").empty());
  CHECK(c.ask("get_position").starts_with("........X/O......../"));
  c.ask("clear_board");
  CHECK(c.ask("gogui-setup b i1 w a2").empty());
  CHECK(c.ask("get_position").starts_with("........X/O......../"));
}

TEST_CASE("session: final_status_list and clear_cache") {
  Conversation c;
  c.ask("play b d");
  c.ask("play w d");
  CHECK(c.ask("final_status_list alive") == "d1\nd2");
  CHECK(c.ask("final_status_list dead").empty());
  CHECK(c.ask("final_status_list seki").empty());
  CHECK(contains(c.refused("final_status_list"), "syntax error"));
  CHECK(contains(c.refused("final_status_list undead"), "syntax error"));

  CHECK(c.ask("clear_cache").empty());
  c.ask("setoption reuse_tree true");
  c.ask("genmove b");
  c.ask("clear_cache");
  CHECK(contains(c.refused("last_search"), "no search yet"));
  c.ask("play w a");
  c.ask("genmove b");
  CHECK(nlohmann::json::parse(c.ask("last_search"))["reused"] == 0);
}
