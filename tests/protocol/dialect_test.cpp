#include "protocol/dialect.hpp"

#include <doctest/doctest.h>

#include "server/session/tables.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using tests::contains;
using tests::Conversation;

TEST_CASE("dialects: names") {
  for (const Dialect d : {Dialect::plain, Dialect::gogui, Dialect::hexgui}) {
    CHECK(dialect_named(dialect_name(d)) == d);
  }
  CHECK_FALSE(dialect_named("klingon"));
  CHECK_FALSE(dialect_named(""));
}

TEST_CASE("dialect: set, told, refused") {
  Conversation c;
  CHECK(c.ask("dialect") == "plain");
  CHECK(c.ask("dialect hexgui").empty());
  CHECK(c.ask("dialect") == "hexgui");
  CHECK(contains(c.refused("dialect klingon"), "expected plain, gogui or hexgui"));
  CHECK(contains(c.refused("dialect gogui plain"), "syntax error"));
  CHECK(c.ask("dialect") == "hexgui");
}

TEST_CASE(
    "dialect: GoGui is known by its first question, unless the client has said what it speaks") {
  Conversation gogui;
  CHECK(gogui.ask("gogui-rules_game_id") == "Connect4");
  CHECK(gogui.ask("dialect") == "gogui");
  gogui.ask("dialect plain");
  gogui.ask("gogui-rules_game_id");
  CHECK(gogui.ask("dialect") == "plain");
  Conversation hexgui;
  hexgui.ask("dialect hexgui");
  hexgui.ask("gogui-rules_game_id");
  CHECK(hexgui.ask("dialect") == "hexgui");
}

TEST_CASE("dialect: HexGui's coordinates") {
  Conversation c;
  c.ask("game gomoku size=11 opening=free");
  c.ask("dialect hexgui");
  CHECK(c.ask("boardsize 11 11").empty());
  CHECK(c.ask("play black i8").empty());
  CHECK(c.ask("play white A1").empty());
  CHECK(c.ask("moves") == "i8 a1");
  CHECK(contains(c.refused("play black a1"), "illegal move"));
  CHECK(contains(c.refused("play black a12"), "illegal move"));
  CHECK(contains(c.refused("play black a0"), "illegal move"));
  CHECK(contains(c.refused("play black hello"), "syntax error"));
  CHECK_FALSE(contains(" " + c.ask("legal_moves") + " ", " a1 "));
  CHECK(contains(" " + c.ask("legal_moves") + " ", " i1 "));
  c.ask("setoption simulations 30");
  const std::string wanted = c.ask("reg_genmove black");
  CHECK(contains(" " + c.ask("legal_moves") + " ", " " + wanted + " "));
  const std::string move = c.ask("genmove black");
  CHECK(c.ask("moves") == "i8 a1 " + move);
  // The same game in the program's own words.
  c.ask("dialect plain");
  CHECK(c.ask("moves").starts_with("j4 a11 "));
  c.ask("dialect hexgui");
  CHECK(c.ask("undo").empty());
  CHECK(c.ask("moves") == "i8 a1");
}

TEST_CASE("dialect: two connections at one table, each with its own") {
  SessionConfig config;
  config.game = "breakthrough";
  config.tables = std::make_shared<Tables>(TableLimits{});
  Conversation plain(config);
  Conversation gogui(config);
  plain.ask("attach shared");
  gogui.ask("attach shared");
  gogui.ask("gogui-rules_game_id");
  CHECK(plain.ask("dialect") == "plain");
  gogui.ask("play b d2");
  CHECK(plain.ask("moves").empty());
  CHECK(contains(plain.refused("play b a2a3"), "illegal move: a move of d2 has begun"));
  CHECK(plain.ask("play b d2d3").empty());
  CHECK(contains(gogui.refused("play b d3"), "illegal move: it is white's turn"));
  gogui.ask("play w d7");
  CHECK(plain.ask("undo").empty());  // the whole move before, and what has begun since
  CHECK(gogui.ask("gogui-rules_board_gfx").empty());
  CHECK(gogui.ask("moves").empty());
  // The engine keeps to what has begun, whoever asks it.
  gogui.ask("play b h2");
  plain.ask("setoption simulations 20");
  CHECK(plain.ask("genmove b").starts_with("h2"));
  CHECK(gogui.ask("gogui-rules_side_to_move") == "white");
}
