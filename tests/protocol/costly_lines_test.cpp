// Lines that would keep the thread that handles all sessions' lines busy for seconds.

#include <doctest/doctest.h>

#include <chrono>

#include "protocol/table.hpp"
#include "tests/protocol/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace std::string_literals;
using Client = tests::Conversation;

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

TEST_CASE("costly lines: options as JSON without end") {
  Client c;
  const auto begun = std::chrono::steady_clock::now();
  CHECK(c.refused("kata-set-params {" + numbered("\"a", "\":1,", 90000) + "\"k\":1}")
            .starts_with("unknown options: a0, a1, "));
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));  // once it took 40
  CHECK(c.ask("kata-set-params {" + std::string(100000, ' ') + "\"k\": 0.7}").empty());
}

TEST_CASE("costly lines: a game with thousands of parameters") {
  Client c;
  CHECK(c.refused("game gomoku " + numbered("k", "=1 ", 90000)) == "too many parameters");
}

TEST_CASE("costly lines: an analysis of thousands of moves") {
  Client c;
  CHECK(c.refused("analyze b avoid b " + repeated("h,", 500000) + " 1") ==
        "syntax error: more than 2000 moves");
  CHECK(c.refused("analyze b" + repeated(" allow b d1,d1 1", 1001)) ==
        "syntax error: more than 2000 moves");
}

TEST_CASE("costly lines: passes behind a game's end are not noted without end") {
  Client c;
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
