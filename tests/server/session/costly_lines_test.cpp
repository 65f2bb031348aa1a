// Lines that would keep the thread that handles all sessions' lines busy for seconds.

#include <doctest/doctest.h>

#include <chrono>

#include "server/session/table.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::string_literals;
using tests::Conversation;

namespace {

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string numbered(std::string_view before, std::string_view behind, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) ((all += before) += std::to_string(i)) += behind;
  return all;
}

}  // namespace

TEST_CASE("costly lines: a long line is refused by commands that are not handled elsewhere") {
  Conversation c;
  const std::string refusal = "line too long for kata-set-params (limit 4096 bytes)";
  CHECK(c.refused("kata-set-params {" + numbered("\"a", "\":1,", 9000) + "\"k\":1}") == refusal);
  CHECK(c.refused("name " + std::string(5000, 'x')) == "line too long for name (limit 4096 bytes)");
  CHECK(c.ask("kata-set-params {" + std::string(4000, ' ') + "\"k\": 0.7}").empty());
  CHECK(c.ask("getoption k") == "0.7");
}

TEST_CASE("costly lines: a long line is handled by who runs searches") {
  Conversation c;
  std::string out;
  const std::string line = "3 analyze b avoid b " + repeated("d1,", 1000) + "a1 1";
  auto status = c.session.handle(line, out);
  CHECK(status == tests::SteppedSession::Status::running);
  CHECK(out.empty());
  CHECK(c.session.step(std::chrono::microseconds(1), out) == tests::SteppedSession::Status::ready);
  CHECK(out.empty());
  SUBCASE("its command goes on") {
    CHECK(c.session.begin_next(out) == tests::SteppedSession::Status::running);
    CHECK(out == "=3 \n");
    CHECK(c.session.yields());
    c.session.interrupt();
    while (c.session.step(std::chrono::microseconds(100), out) !=
           tests::SteppedSession::Status::ready) {
    }
    CHECK(out.ends_with("\n\n"));
    CHECK(c.session.begin_next(out) == tests::SteppedSession::Status::ready);
  }
  c.session.end_job();  // also of a command that nobody has begun
  CHECK(c.ask("play b d1").empty());
}

TEST_CASE("costly lines: what interrupts the handling interrupts what follows") {
  Conversation c;
  c.ask("setoption simulations 1000000000");
  std::string out;
  CHECK(c.session.handle("genmove_analyze b 100000" + repeated(" allow b d1,a1 1", 200), out) ==
        tests::SteppedSession::Status::running);
  c.session.interrupt();
  CHECK(c.session.step(std::chrono::microseconds(1), out) == tests::SteppedSession::Status::ready);
  CHECK(c.session.begin_next(out) == tests::SteppedSession::Status::running);
  int slices = 0;
  while (c.session.step(std::chrono::microseconds(100), out) !=
         tests::SteppedSession::Status::ready) {
    REQUIRE(++slices < 1000);
  }
  c.session.end_job();
  CHECK(c.ask("moves") != "");
}

TEST_CASE("costly lines: a game with thousands of parameters") {
  Conversation c;
  CHECK(c.refused("game gomoku " + numbered("k", "=1 ", 90000)) == "too many parameters");
}

TEST_CASE("costly lines: an analysis of thousands of moves") {
  Conversation c;
  CHECK(c.refused("analyze b avoid b " + repeated("h,", 500000) + " 1") ==
        "syntax error: expected no more than 2000 moves");
  CHECK(c.refused("analyze b" + repeated(" allow b d1,d1 1", 1001)) ==
        "syntax error: expected no more than 2000 moves");
}

TEST_CASE("costly lines: passes behind a game's end are not noted without end") {
  Conversation c;
  c.ask("gogui-play_sequence b d w e b d w e b d w e b d");
  CHECK(c.ask("moves") == "d1 e1 d2 e2 d3 e3 d4");
  c.ask("gogui-play_sequence" + repeated(" b pass", 100));
  CHECK(c.refused("play b pass").starts_with("illegal move"));
  CHECK(c.ask("genmove b") == "pass");  // as it answers in any case
  CHECK(c.ask("gg-undo 107").empty());
  CHECK(c.refused("undo") == "cannot undo");
}

TEST_CASE("costly lines: another game leaves the tree's release to a thread that searches") {
  Table table{SessionConfig{}};
  CHECK_FALSE(table.search().has_tree());
  table.begin_move(false);
  while (table.search().run(std::chrono::milliseconds(2)) != engine::Progress::done) {
  }
  table.search().end();
  table.new_game("gomoku", {});
  CHECK(table.search().has_tree());
  CHECK_FALSE(table.search().last());
  table.begin_move(false);
  while (table.search().run(std::chrono::milliseconds(2)) != engine::Progress::done) {
  }
  CHECK(table.search().last()->game == "gomoku");
}
