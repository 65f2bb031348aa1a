#include <doctest/doctest.h>

#include <string>

#include "tests/clients/scratch_folder.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::string_literals;
using tests::contains;
using tests::Conversation;

TEST_CASE("session: loadsgf and printsgf") {
  const clients::ScratchFolder folder;
  clients::write_text(folder / "race.sgf",
                      "(;SZ[8]RU[breakthrough size=8];B[dg];B[df];W[ab];W[ac])");
  clients::write_text(folder / "broken.sgf", "(;SZ[8]RU[breakthrough size=8];B[dg];W[df])");
  Conversation without;
  CHECK(without.refused("loadsgf race.sgf") ==
        "cannot load file: this server has no folder of games (--sgf)");
  SessionConfig config;
  config.sgf_folder = folder.path();
  Conversation c(config);
  c.ask("play b d");
  CHECK(contains(c.refused("loadsgf nothing.sgf"), "cannot load file: there is no file"));
  CHECK(contains(c.refused("loadsgf /etc/passwd"), "cannot load file"));
  CHECK(contains(c.refused("loadsgf ../race.sgf"), "cannot load file"));
  CHECK(contains(c.refused("loadsgf broken.sgf"), "cannot load file: move 2"));
  CHECK(contains(c.refused("loadsgf"), "syntax error"));
  CHECK(contains(c.refused("loadsgf race.sgf 0"), "syntax error"));
  CHECK(contains(c.refused("printsgf file.sgf"), "expected no arguments"));
  CHECK(c.ask("printsgf") == "(;FF[4]CA[UTF-8]AP[Pitboss:2]SZ[7]RU[connect4]\n;B[dg])");
  CHECK(c.ask("loadsgf race.sgf").empty());
  CHECK(c.ask("game") == "breakthrough size=8");
  CHECK(c.ask("moves") == "d2d3 a7a6");
  CHECK(c.ask("undo").empty());
  CHECK(c.ask("moves") == "d2d3");
  CHECK(c.ask("loadsgf race.sgf 3").empty());
  CHECK(c.ask("moves") == "d2d3");
  // A file of several games is never cut to its first one.
  clients::write_text(folder / "two.sgf",
                      "(;SZ[8]RU[breakthrough size=8];B[dg];B[df])\n(;SZ[7]RU[connect4];B[dg])");
  CHECK(c.refused("loadsgf two.sgf") ==
        "cannot load file: 'two.sgf' holds 2 games; choose one, from two.sgf:1 to two.sgf:2");
  CHECK(c.ask("moves") == "d2d3");
  CHECK(c.ask("loadsgf two.sgf:2").empty());
  CHECK(c.ask("game") == "connect4");
  CHECK(c.ask("loadsgf two.sgf:1 1").empty());
  CHECK(c.ask("game") == "breakthrough size=8");
  CHECK(c.ask("moves").empty());
  CHECK(c.refused("loadsgf two.sgf:3") ==
        "cannot load file: 'two.sgf' holds 2 games, there is no game 3");
  CHECK(c.refused("loadsgf race.sgf:0") ==
        "cannot load file: 'race.sgf' holds 1 game, there is no game 0");
  CHECK(contains(c.refused("loadsgf two.sgf#1"), "choose one"));  // a comment to GTP
  CHECK(c.ask("loadsgf race.sgf:1").empty());
  CHECK(contains(c.refused("loadsgf two.sgf:x"), "there is no file 'two.sgf:x'"));
  // In the notation of who wrote it; the connection's dialect counts where that is unknown.
  clients::write_text(folder / "hexgui.sgf", "(;FF[4]AP[HexGui:0.9]GM[11]SZ[11];B[j5];W[c5])");
  clients::write_text(folder / "letters.sgf", "(;SZ[11];B[ab])");
  CHECK(c.ask("loadsgf hexgui.sgf").empty());
  CHECK(c.ask("moves") == "k5 c5");
  CHECK(contains(c.refused("loadsgf letters.sgf"), "`dialect hexgui`"));
  CHECK(c.ask("moves") == "k5 c5");
  c.ask("dialect hexgui");
  CHECK(c.ask("loadsgf hexgui.sgf").empty());
  CHECK(c.ask("moves") == "j5 c5");
  CHECK(c.ask("loadsgf letters.sgf").empty());
  CHECK(c.ask("moves") == "a2");
  c.ask("dialect plain");
  CHECK(c.ask("loadsgf letters.sgf").empty());
  CHECK(c.ask("moves") == "a10");
  // What the game does not fit is refused here, too.
  c.ask("game connect4");
  c.ask("setoption novelty pseudocount-features");
  clients::write_text(folder / "go.sgf", "(;SZ[7]RU[atarigo size=7];B[aa])");
  CHECK(contains(c.refused("loadsgf go.sgf"), "no evaluation features"));
}

TEST_CASE("session: read_record") {
  Conversation c;
  // What is sent is one word; its %-signs are bytes.
  CHECK(
      c.ask("read_record (;SZ[8]RU[breakthrough%20size=8]PB[a]%0a;B[dg];B[df];W[ab];W[ac])") ==
      R"({"version":1,"game":"breakthrough","rules":"breakthrough size=8","start":null,)"
      R"("moves":["d2d3","a7a6"],"players":{"black":"a","white":null},"notes":[],"annotations":[]})");
  CHECK(c.ask("game") == "connect4");  // the table keeps its game
  CHECK(contains(c.ask("read_record (;SZ[7];B[dg]"),
                 R"("notes":["the record ends early: it is read to line 1"],)"));
  CHECK(contains(c.ask("read_record (;SZ[9]AB[ee]PL[W]GM[4])"), R"("start":"........./)"));
  CHECK(contains(c.ask("read_record (;GM[4]SZ[9]CA[ISO-8859-1]PB[M%FCller])"), "Müller"));
  // Code points beyond the last, which iconv takes.
  for (const char* beyond : {"%F5%80%80%80", "%F4%90%80%80", "%F7%BF%BF%BF"}) {
    CHECK(contains(c.ask("read_record (;GM[4]SZ[9]CA[UTF-8]PB[" + std::string(beyond) + "])"),
                   R"("players")"));
  }
  CHECK(contains(c.ask("read_record Piskvorky%2015x15,%2011:11,%200%0D%0A8,8,0%0D%0A-1%0D%0A"),
                 R"("moves":["h8"])"));
  CHECK(c.refused("read_record (;SZ[7])(;SZ[7])") ==
        "cannot read the record: the text holds 2 games; choose one, from 1 to 2");
  CHECK(contains(c.ask("read_record (;SZ[7])(;SZ[7];B[dg]) 2"), R"("moves":["d1"])"));
  CHECK(contains(c.refused("read_record nonsense"), "cannot read the record: the text holds no"));
  for (const char* bad : {"read_record", "read_record % 1", "read_record %4", "read_record %4g",
                          "read_record (;) 0", "read_record (;) 1 1"}) {
    CHECK(contains(c.refused(bad), "syntax error"));
  }
}

TEST_CASE("session: loadsgf tells what differs from the file") {
  const clients::ScratchFolder folder;
  SessionConfig config;
  config.sgf_folder = folder.path();
  Conversation c(config);
  clients::write_text(folder / "cut.sgf", "(;SZ[7];W[dg]\n;B[d");
  CHECK(c.ask("loadsgf cut.sgf") ==
        "white begins in the record, black in this game: colours are exchanged\n"
        "the record ends early: it is read to line 2");
  CHECK(c.ask("moves") == "d1");
}
