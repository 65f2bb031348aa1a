// People who hold the colours of a table, and what is left to others there.

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "server/session/saved_table.hpp"
#include "tests/server/commands/known_tokens.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using tests::Conversation;

namespace {

const std::string blacks = "blacks-key-123456";
const std::string whites = "whites-key-123456";
constexpr std::chrono::sys_days day{std::chrono::days(20787)};

SessionConfig config_of(tests::KnownTokens& server) {
  SessionConfig config = server.config();
  config.client = {};
  return config;
}

/// The text of a failure, which must have changed no game.
std::string refused(Conversation& who, const std::string& line) {
  const std::string before = who.ask("state");
  const std::string answer = who.raw(line);
  CHECK(who.ask("state") == before);
  CAPTURE(line);
  CHECK_MESSAGE(answer.starts_with("? "), answer);
  return answer.substr(2, answer.size() - 4);
}

/// Ann and Bob, who hold the colours of a table of hex, and Eve, who looks on.
struct Game {
  explicit Game(const std::string& game = "hex size=5") {
    for (Conversation* each : {&ann, &bob, &eve}) each->ask("error_codes on");
    ann.ask("game " + game);
    for (Conversation* each : {&ann, &bob, &eve}) each->ask("attach game");
    ann.ask("seat black " + blacks);
    bob.ask("seat w " + whites);
  }
  tests::KnownTokens server{{}};
  Conversation ann{config_of(server)};
  Conversation bob{config_of(server)};
  Conversation eve{config_of(server)};
};

}  // namespace

TEST_CASE("seats: each colour is moved by who holds it, in turn") {
  Game g;
  CHECK(g.eve.ask("seat") == "black here\nwhite here");
  g.ann.ask("play b a1");
  g.bob.ask("play b2");
  CHECK(refused(g.bob, "play w b3") ==
        "illegal-move: illegal move: it is black's turn, and you hold the seat of white");
  CHECK(refused(g.bob, "play b b3") ==
        "illegal-move: illegal move: it is black's turn, and you hold the seat of white");
  CHECK(refused(g.ann, "play w b3") == "illegal-move: illegal move: it is black's turn");
  CHECK(refused(g.ann, "play b b2").starts_with("illegal-move: illegal move: "));
  CHECK(refused(g.eve, "play b b3") ==
        "needs-right: people hold the seats of this table: who moves for black takes its seat "
        "first");
  g.ann.ask("play b b3");
  CHECK(g.eve.ask("moves") == "a1 b2 b3");
}

TEST_CASE("seats: nothing but moves changes the game, whoever asks") {
  Game g;
  g.ann.ask("play b a1");
  for (const std::string line :
       {"undo", "clear_board", "game othello", "genmove w", "reg_genmove w", "simulate",
        "setoption alpha 0.5", "analyze 1", "duel 12 1 1", "time_settings 1 1 1", "gg-undo 1"}) {
    CAPTURE(line);
    for (Conversation* each : {&g.ann, &g.bob, &g.eve}) {
      CHECK(refused(*each, line) ==
            "needs-right: people play at this table: nothing but their moves changes it, and "
            "nobody searches there");
    }
  }
  g.eve.ask("state");
  g.eve.ask("geometry");
  g.eve.ask("legal_moves");
}

TEST_CASE("seats: HexGui's dialect changes no rule of the swap") {
  SUBCASE("no swap where there is none") {
    Game g("hex size=3 swap=off");
    g.ann.ask("play b a1");
    g.bob.ask("dialect hexgui");
    static_cast<void>(refused(g.bob, "play w swap-pieces"));
    g.bob.ask("play w b2");
  }
  SUBCASE("nobody moves for who has swapped") {
    Game g("hex size=3 swap=pieces");
    g.ann.ask("play b a2");
    g.bob.ask("play w swap");
    g.ann.ask("dialect hexgui");
    CHECK(refused(g.ann, "play w c3") == "illegal-move: illegal move: it is black's turn");
    g.ann.ask("play b c3");
  }
}

TEST_CASE("seats: a game that is over stays as it is") {
  Game g("connect4");
  for (const std::string row : {"1", "2", "3"}) {
    g.ann.ask("play b d" + row);
    g.bob.ask("play w a" + row);
  }
  g.ann.ask("play b d4");
  for (Conversation* each : {&g.ann, &g.bob, &g.eve}) {
    for (const std::string line : {"play b pass", "play w pass", "play w a4", "undo"}) {
      static_cast<void>(refused(*each, line));
    }
  }
}

TEST_CASE(
    "seats: one connection sits at a colour, and another one with its key when that has left") {
  Game g;
  CHECK(refused(g.eve, "seat b " + blacks) ==
        "busy: black's seat is taken: another connection with its key sits there");
  CHECK(refused(g.eve, "seat b " + whites) == "needs-right: black's seat is taken, by another key");
  g.ann.ask("seat b " + blacks);  // again
  g.ann.ask("detach");
  CHECK(g.eve.ask("seat") == "black away\nwhite here");
  CHECK(refused(g.bob, "play b a1").starts_with("illegal-move: illegal move: it is black's turn"));
  CHECK(g.ann.ask("seat").empty());
  g.ann.ask("clear_board");  // at its own table again
  g.eve.ask("seat b " + blacks);
  g.eve.ask("play b a1");
  g.bob.session.leave();
  CHECK(g.eve.ask("seat") == "black here\nwhite away");
}

TEST_CASE("seats: a colour that nobody holds waits for somebody") {
  tests::KnownTokens server{{}};
  Conversation ann(config_of(server));
  CHECK(ann.raw("seat b " + blacks) ==
        "? only at a table with a name are there seats: attach NAME gives it one\n\n");
  ann.ask("attach game");
  CHECK(refused(ann, "seat b short") ==
        "syntax error: a key has 16 to 64 letters, digits, '.', '_' or '-'");
  CHECK(refused(ann, "seat b " + std::string(65, 'k')).starts_with("syntax error: a key has"));
  CHECK(refused(ann, "seat green " + blacks).starts_with("syntax error"));
  CHECK(refused(ann, "seat b").starts_with("syntax error: expected [COLOUR KEY]"));
  ann.ask("play b d1");
  ann.ask("seat w " + std::string(64, 'k'));
  ann.ask("play w d2");
  CHECK(refused(ann, "play b d3") ==
        "illegal move: it is black's turn, and you hold the seat of white");
  ann.ask("seat b " + blacks);  // both colours
  ann.ask("play b d3");
  ann.ask("play w d4");
}

TEST_CASE("seats: of a token's table they are for those whom it lets play") {
  tests::KnownTokens server{{{"alice", {"alice", Right::play, {}}},
                             {"bob", {"bob", Right::play, {}}},
                             {"eve", {"eve", Right::watch, {}}}}};
  Conversation alice(server.config());
  Conversation bob(server.config());
  Conversation eve(server.config());
  alice.ask("auth alice");
  bob.ask("auth bob");
  eve.ask("auth eve");
  alice.ask("attach game");
  alice.ask("share play");
  bob.ask("attach game");
  CHECK(refused(bob, "seat w " + whites) == "this table belongs to alice");
  alice.ask("setoption alpha 0.25");  // which is the owner's still
  alice.ask("seat b " + blacks);
  alice.ask("share watch");
  CHECK(refused(bob, "seat w " + whites) == "to take a seat needs the right play at this table");
  alice.ask("share play");
  bob.ask("seat w " + whites);
  eve.ask("attach game");
  CHECK(refused(eve, "seat w " + whites) == "to take a seat needs the right play at this table");
  CHECK(eve.ask("seat") == "black here\nwhite here");
  alice.ask("play b d1");
  CHECK(eve.raw("play w d2").starts_with("? play needs the right play; the token eve"));
  alice.ask("share nobody");
  CHECK(bob.raw("seat") == "? the table belongs to another token\n\n");
  alice.ask("release");
}

TEST_CASE("seats: none is taken while a command has the table") {
  tests::KnownTokens server{{}};
  Conversation ann(config_of(server));
  Conversation bob(config_of(server));
  ann.ask("attach game");
  bob.ask("attach game");
  std::string out;
  REQUIRE(ann.session.handle("genmove b", out) == tests::SteppedSession::Status::running);
  CHECK(bob.raw("seat w " + whites) ==
        "? no seat can be taken while a command has the table: genmove\n\n");
  CHECK(bob.ask("seat").empty());
}

TEST_CASE("seats: who has shown no key ends no game of a table that belongs to no token") {
  tests::KnownTokens server{{}};
  SessionConfig config = config_of(server);
  config.tables = std::make_shared<Tables>(TableLimits{.may_last = true});
  Conversation ann(config);
  ann.ask("attach game");
  ann.ask("seat b " + blacks);
  ann.ask("seat w " + whites);
  ann.ask("keep on");
  ann.ask("detach");
  Conversation eve(config);
  eve.ask("attach game");
  const std::string no =
      "? people hold the seats of this table: who has a key takes its seat first\n\n";
  CHECK(eve.raw("release") == no);
  CHECK(eve.raw("keep off") == no);
  CHECK(eve.raw("keep on") == no);
  CHECK(eve.ask("keep") == "on");
  CHECK(eve.raw("seat b " + whites).starts_with("? black's seat is taken"));
  CHECK(eve.raw("release") == no);
  eve.ask("seat w " + whites);  // it was Bob
  eve.ask("keep off");
  eve.ask("release");
  CHECK(eve.ask("tables").empty());
}

TEST_CASE("seats: a table keeps them when it is saved, with nobody there, and not the keys") {
  Game g;
  g.ann.ask("play b a1");
  const auto table = g.server.config().tables->find("game");
  const std::string text = saved_table(*table, {"somebody", day});
  CHECK(text.find(blacks) == std::string::npos);
  const RestoredTable restored = restored_table(text, {});
  CHECK(restored.use.maker == "somebody");
  CHECK(restored.use.last_day == day);
  CHECK(saved_table(*restored.table, restored.use) == text);
  REQUIRE(restored.table->colour_seats().all().size() == 2);
  CHECK(restored.table->colour_seats().all()[1].colour_name == "white");
  CHECK(restored.table->colour_seats().all()[1].sitter == nullptr);
  std::string wrong = text;
  wrong.replace(wrong.find("\"colour\": \"white\""), 17, "\"colour\": \"green\"");
  CHECK_THROWS_WITH(static_cast<void>(restored_table(wrong, {})), "the game has no colour 'green'");
}
