#include <doctest/doctest.h>

#include <string>

#include "tests/clients/scratch_folder.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::string_literals;
using Client = tests::Conversation;
using tests::contains;

TEST_CASE("session: loadsgf and printsgf") {
  const clients::ScratchFolder folder;
  clients::write_text(folder / "race.sgf",
                      "(;SZ[8]RU[breakthrough size=8];B[dg];B[df];W[ab];W[ac])");
  clients::write_text(folder / "broken.sgf", "(;SZ[8]RU[breakthrough size=8];B[dg];W[df])");
  Client without;
  CHECK(without.refused("loadsgf race.sgf") ==
        "cannot load file: this server has no folder of games (--sgf)");
  SessionConfig config;
  config.sgf_folder = folder.path();
  Client c(config);
  c.ask("play b d");
  CHECK(contains(c.refused("loadsgf nothing.sgf"), "cannot load file: there is no file"));
  CHECK(contains(c.refused("loadsgf /etc/passwd"), "cannot load file"));
  CHECK(contains(c.refused("loadsgf ../race.sgf"), "cannot load file"));
  CHECK(contains(c.refused("loadsgf broken.sgf"), "cannot load file: move 2"));
  CHECK(contains(c.refused("loadsgf"), "syntax error"));
  CHECK(contains(c.refused("loadsgf race.sgf 0"), "syntax error"));
  CHECK(contains(c.refused("printsgf file.sgf"), "expected no arguments"));
  CHECK(c.ask("printsgf") == "(;FF[4]AP[Pitboss:2]SZ[7]RU[connect4]\n;B[dg])");
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
