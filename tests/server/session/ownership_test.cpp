#include <doctest/doctest.h>

#include <string>

#include "tests/server/commands/known_tokens.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using tests::Conversation;
using namespace std::chrono_literals;
using Status = tests::SteppedSession::Status;

namespace {

/// Alice at her table "study", and others who know of it.
struct Study {
  Study() {
    alice.ask("auth alice");
    bob.ask("auth bob");
    eve.ask("auth eve");
    root.ask("auth root");
    alice.ask("attach study");
  }
  tests::KnownTokens server{{{"alice", {"alice", Right::play, {}}},
                             {"bob", {"bob", Right::play, {}}},
                             {"eve", {"eve", Right::watch, {}}},
                             {"root", {"root", Right::admin, {}}}}};
  Conversation alice{server.config()};
  Conversation bob{server.config()};
  Conversation eve{server.config()};
  Conversation root{server.config()};
};

}  // namespace

TEST_CASE("ownership: a table is its token's alone until it is shared") {
  Study s;
  CHECK(s.alice.ask("share") == "nobody");
  CHECK(s.bob.raw("attach study") == "? the table 'study' belongs to another token\n\n");
  CHECK(s.bob.ask("tables").empty());
  CHECK(s.alice.ask("tables") == "study connect4 1 idle");
  CHECK(s.root.ask("tables") == "study connect4 1 idle");
  Conversation again(s.server.config());  // the token counts, not the connection
  again.ask("auth alice");
  again.ask("attach study");
  again.ask("play b d1");
  CHECK(s.alice.ask("moves") == "d1");
}

TEST_CASE("ownership: those with whom it is shared to watch look on") {
  Study s;
  s.alice.ask("play b d1");
  s.alice.ask("share watch");
  for (Conversation* guest : {&s.bob, &s.eve}) {
    CHECK(guest->ask("tables").starts_with("study connect4 "));
    guest->ask("attach study");
    CHECK(guest->ask("moves") == "d1");
    CHECK(guest->ask("share") == "watch");
    CHECK(guest->raw("share play") == "? this table belongs to alice\n\n");
  }
  CHECK(s.bob.raw("play w d2") ==
        "? play needs the right play at this table, which belongs to alice\n\n");
  CHECK(s.eve.raw("play w d2") ==
        "? play needs the right play; the token eve has the right watch\n\n");
  CHECK(s.bob.raw("setoption alpha 0.5").starts_with("? setoption needs"));
  CHECK(s.alice.ask("moves") == "d1");
}

TEST_CASE("ownership: those with whom it is shared to play do, if they may") {
  Study s;
  s.alice.ask("share play");
  s.bob.ask("attach study");
  s.bob.ask("play b d1");
  CHECK(s.bob.raw("share nobody").starts_with("? this table belongs"));
  s.eve.ask("attach study");
  CHECK(s.eve.raw("play w d2").starts_with("? play needs the right play; the token eve"));
  CHECK(s.alice.ask("moves") == "d1");
}

TEST_CASE("ownership: who is shut out sees nothing any more, and may go") {
  Study s;
  s.alice.ask("share play");
  s.bob.ask("attach study");
  s.alice.ask("share nobody");
  CHECK(s.bob.raw("showboard").starts_with("? showboard needs the right watch at this table"));
  s.bob.ask("detach");
  s.bob.ask("showboard");
  CHECK(s.bob.raw("attach study").starts_with("? the table 'study' belongs"));
}

TEST_CASE("ownership: who is shut out while it searches changes no option any more") {
  Study s;
  s.alice.ask("share play");
  s.bob.ask("attach study");
  std::string out;
  REQUIRE(s.bob.session.handle("genmove b", out) == Status::running);
  CHECK(s.bob.session.handle_while_running("setoption alpha 0.5").value().starts_with("= "));
  s.alice.ask("share watch");
  CHECK(s.bob.session.handle_while_running("setoption alpha 0.7") ==
        "? setoption needs the right play at this table, which belongs to alice\n\n");
  CHECK(s.bob.session.handle_while_running("getoption alpha") == "= 0.5\n\n");
  while (s.bob.session.step(1ms, out) == Status::running) {
  }
  s.bob.session.end_job();
  CHECK(out.starts_with("= "));
}

TEST_CASE("ownership: those who watch keep no name, but may look on until they leave") {
  Study s;
  s.alice.ask("play b d1");
  s.alice.ask("share watch");
  s.bob.ask("attach study");
  s.eve.ask("attach study");
  Tables& tables = *s.server.config().tables;
  const auto now = Tables::SteadyClock::now();
  CHECK(tables.expire(now + 1h).tables == 0);  // Alice is there
  s.alice.ask("detach");
  CHECK(tables.expire(now).tables == 0);
  CHECK(tables.expire(now + 1h).tables == 1);
  CHECK(s.alice.ask("tables").empty());
  CHECK(s.eve.ask("moves") == "d1");
  CHECK(s.bob.raw("play w d2").starts_with("? play needs the right play at this table"));
  s.bob.ask("attach study");  // a table of his own, not Alice's
  CHECK(s.bob.ask("moves").empty());
  CHECK(s.bob.ask("share") == "nobody");
  s.eve.ask("detach");
  CHECK(s.eve.ask("moves").empty());
}

TEST_CASE("ownership: who may no longer play keeps no name") {
  Study s;
  s.alice.ask("share play");
  s.bob.ask("attach study");
  s.alice.ask("detach");
  Tables& tables = *s.server.config().tables;
  const auto now = Tables::SteadyClock::now();
  CHECK(tables.expire(now + 1h).tables == 0);
  s.root.ask("attach study");
  s.root.ask("share watch");
  s.root.ask("detach");
  CHECK(tables.expire(now + 1h).tables == 1);
}

TEST_CASE("ownership: a table's owner gives its name back, and keeps the table") {
  Study s;
  s.alice.ask("play b d1");
  s.alice.ask("share play");
  s.bob.ask("attach study");
  s.eve.ask("attach study");
  CHECK(s.bob.raw("release") == "? this table belongs to alice\n\n");
  CHECK(s.eve.raw("release").starts_with("? release needs the right play"));
  s.alice.ask("release");
  CHECK(s.alice.ask("moves") == "d1");
  CHECK(s.bob.raw("moves").starts_with("? moves needs the right watch at this table"));
  s.bob.ask("attach study");  // a table of his own, not Alice's
  CHECK(s.bob.ask("moves").empty());
  s.alice.ask("attach mine");
  CHECK(s.alice.ask("tables") == "mine connect4 2 idle");  // Eve may still go
  s.eve.ask("detach");
  CHECK(s.alice.ask("tables") == "mine connect4 1 idle");
  s.root.ask("attach mine");
  s.root.ask("release");
  CHECK(s.alice.ask("tables").empty());
  CHECK(s.alice.ask("moves") == "d1");
  CHECK(s.root.ask("moves") == "d1");
  s.root.ask("attach mine");  // another table: this one stays Alice's
  CHECK(s.root.ask("moves").empty());
  CHECK(s.alice.ask("moves") == "d1");
  s.alice.ask("attach lab");
  CHECK(s.alice.ask("tables") == "lab connect4 1 idle");
}

TEST_CASE("ownership: an administrator may do everything everywhere") {
  Study s;
  s.root.ask("attach study");
  s.root.ask("play b d1");
  s.root.ask("share watch");
  CHECK(s.alice.ask("share") == "watch");
  CHECK(s.alice.raw("share admin").starts_with("? syntax error"));
}

TEST_CASE("ownership: who only watches makes no table") {
  Study s;
  CHECK(s.eve.raw("attach mine") ==
        "? there is no table 'mine', and to name a table needs the right play\n\n");
  CHECK(s.eve.ask("tables").empty());
}

TEST_CASE("ownership: a watcher does not end an analysis, but waits for a search") {
  Study s;
  s.alice.ask("share watch");
  s.bob.ask("attach study");
  s.root.ask("attach study");
  std::string out;
  REQUIRE(s.alice.session.handle("lz-analyze 1", out) == Status::running);
  std::string answer;
  CHECK(s.bob.session.handle("showboard", answer) == Status::ready);
  CHECK(answer ==
        "? another session's lz-analyze has the table, and the right watch does not allow you to "
        "end it\n\n");
  CHECK(s.alice.session.step(1ms, out) == Status::running);  // it goes on
  CHECK(s.root.session.handle("showboard", answer) == Status::waiting);
  while (s.alice.session.step(1ms, out) == Status::running) {
  }
  s.alice.session.end_job();
  REQUIRE(s.alice.session.handle("genmove b", out) == Status::running);
  CHECK(s.bob.session.handle("showboard", answer) == Status::waiting);
  while (s.alice.session.step(1ms, out) == Status::running) {
  }
  s.alice.session.end_job();
  CHECK(s.bob.ask("moves") == s.alice.ask("moves"));
}

TEST_CASE("ownership: a client has named as many tables as it may") {
  Tables tables({64, 10min, 2});
  const auto table = [] { return std::make_shared<Table>(SessionConfig()); };
  const Identity alice{"alice", Right::play, "10.0.0.1"};
  const Identity here{{}, Right::admin, "10.0.0.1"};
  tables.add("a", table(), alice);
  tables.add("b", table(), alice);
  CHECK_THROWS_WITH_AS(tables.add("c", table(), alice), "too many tables of one client (limit 2)",
                       LimitError);
  tables.add("c", table(), here);
  tables.add("d", table(), here);
  CHECK_THROWS_AS(tables.add("e", table(), here), LimitError);
  tables.add("e", table(), {{}, Right::admin, "10.0.0.2"});
}

TEST_CASE("ownership: without tokens an administrator frees the names that others hold") {
  tests::KnownTokens server{{}};
  SessionConfig remote = server.config();
  remote.client.right = Right::play;
  SessionConfig local = server.config();
  local.client.right = Right::admin;
  Conversation stranger(remote);
  Conversation other(remote);
  Conversation admin(local);
  stranger.ask("attach study");
  other.ask("attach study");
  admin.ask("attach study");
  CHECK(other.raw("release").starts_with("? this table belongs to no token"));
  admin.ask("release");
  CHECK(admin.ask("tables").empty());
}
