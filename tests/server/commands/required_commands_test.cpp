// The commands that GTP version 2 requires (section 1.4 of the rules that conformance_test.cpp goes
// through), and what they fail with.

#include <doctest/doctest.h>

#include <string>

#include "tests/server/session/conversation.hpp"

using namespace std::string_literals;
using pitboss::tests::contains;
using pitboss::tests::Conversation;

TEST_CASE("required commands: all are there and listed, with the other sets of GTP") {
  Conversation c;
  const std::string listed = "\n" + c.ask("list_commands") + "\n";
  for (const char* name : {"protocol_version",
                           "name",
                           "version",
                           "known_command",
                           "list_commands",
                           "quit",
                           "boardsize",
                           "clear_board",
                           "komi",
                           "play",
                           "genmove",
                           "fixed_handicap",
                           "place_free_handicap",
                           "set_free_handicap",
                           "undo",
                           "time_settings",
                           "time_left",
                           "final_score",
                           "final_status_list",
                           "loadsgf",
                           "printsgf",
                           "reg_genmove",
                           "showboard"}) {
    CAPTURE(name);
    CHECK(contains(listed, "\n"s + name + "\n"));
    CHECK(c.ask("known_command "s + name) == "true");
  }
  CHECK(c.ask("protocol_version") == "2");
  CHECK_FALSE(c.ask("name").empty());
  CHECK_FALSE(c.ask("version").empty());
}

TEST_CASE("required commands: failures begin with GTP's words and change nothing") {
  struct Row {
    const char* line;
    const char* begins;
  };
  const Row rows[] = {
      {"nonsense", "unknown command"},
      {"boardsize 99", "unacceptable size"},
      {"boardsize 0", "syntax error"},
      {"boardsize", "syntax error"},
      {"boardsize x", "syntax error"},
      {"komi", "syntax error"},
      {"komi x", "syntax error"},
      {"clear_board now", "syntax error"},
      {"play", "syntax error"},
      {"play w", "syntax error"},
      {"play b", "syntax error"},  // a colour, though it names a column, too
      {"play %", "syntax error"},
      {"play d9", "illegal move"},
      {"play w d2 e2", "syntax error"},
      {"play x d1", "syntax error"},
      {"play w %", "syntax error"},
      {"play w d1", "illegal move"},  // there is a stone
      {"play b a1", "illegal move"},  // not black's turn
      {"genmove x", "syntax error"},
      {"genmove w w", "syntax error"},
      {"to_move b", "syntax error"},
      {"genmove b", "illegal move"},
      {"fixed_handicap 2", "board not empty"},
      {"place_free_handicap 2", "board not empty"},
      {"set_free_handicap a1 a2", "board not empty"},
      {"final_score", "cannot score"},
      {"final_status_list", "syntax error"},
      {"loadsgf x.sgf", "cannot load file"},
      {"time_settings 1", "syntax error"},
      {"time_left b", "syntax error"},
  };
  Conversation c;
  c.ask("play b d1");
  for (const Row& r : rows) {
    CAPTURE(r.line);
    CHECK(c.refused(r.line).starts_with(r.begins));
  }
  c.ask("clear_board");
  CHECK(c.refused("undo") == "cannot undo");
  c.ask("game atarigo");
  CHECK(c.refused("fixed_handicap 1") == "invalid number of stones");
  CHECK(c.refused("set_free_handicap a1 a1").starts_with("bad vertex list"));
}

TEST_CASE("required commands: known_command never fails") {
  Conversation c;
  for (const char* line : {"known_command", "known_command x", "known_command name x",
                           "known_command \xff", "known_command #"}) {
    CAPTURE(line);
    const std::string answer = c.ask(line);
    CHECK((answer == "true" || answer == "false"));
  }
}

TEST_CASE("required commands: only the side to move may play, in every game") {
  // GTP would let any colour play. Rule engines of GUIs send a move twice and must have it refused.
  for (const char* game : {"connect4", "othello", "breakthrough", "atarigo", "gomoku"}) {
    CAPTURE(game);
    Conversation c;
    c.ask("game "s + game);
    const std::string legal = c.ask("legal_moves");
    const std::string move = legal.substr(0, legal.find(' '));
    CHECK(c.refused("play w " + move).starts_with("illegal move: it is black's turn"));
    CHECK(c.ask("play b " + move).empty());
    CHECK(c.refused("play b " + move).starts_with("illegal move: it is white's turn"));
  }
}

TEST_CASE("play and genmove without a colour mean the side to move, which to_move tells") {
  Conversation c;
  c.ask("setoption simulations 20");
  CHECK(c.ask("to_move") == "black");
  CHECK(c.ask("play d").empty());
  CHECK(c.ask("to_move") == "white");
  CHECK(c.ask("play w e").empty());
  CHECK(c.ask("moves") == "d1 e1");
  const std::string black = c.ask("genmove");
  CHECK(c.ask("moves") == "d1 e1 " + black);
  CHECK(c.ask("to_move") == "white");
  CHECK_FALSE(c.ask("reg_genmove").empty());
  CHECK(c.ask("moves") == "d1 e1 " + black);
  const std::string white = c.ask("genmove_analyze");
  CHECK(contains(white, "\nplay "));
  CHECK(c.ask("to_move") == "black");
  // Three sides, and a side that moves twice.
  c.ask("game rolit players=3");
  CHECK(c.ask("to_move") == "red");
  const std::string legal = c.ask("legal_moves");
  CHECK(c.ask("play " + legal.substr(0, legal.find(' '))).empty());
  CHECK(c.ask("to_move") == "yellow");
  c.ask("dialect gogui");
  c.ask("game breakthrough");
  CHECK(c.ask("play d2").empty());  // GoGui makes a move point by point
  CHECK(c.ask("to_move") == "black");
  CHECK(c.ask("play d3").empty());
  CHECK(c.ask("to_move") == "white");
}

TEST_CASE("required commands: time_settings as GTP means it") {
  Conversation c;
  c.ask("setoption simulations 0");
  CHECK(contains(c.refused("genmove b"), "needs a bound"));
  CHECK(c.ask("time_settings 0 1 0").empty());  // no limit
  CHECK(contains(c.refused("genmove b"), "needs a bound"));
  CHECK(c.ask("time_settings 1 0 0").empty());  // absolute
  CHECK_FALSE(c.ask("genmove b").empty());
}
