#include "games/forbidding_rule.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace pitboss::games {

namespace {

std::string rule(const char* name, const char* parameters, const std::vector<std::string>& moves,
                 const char* move) {
  const auto position = make_game(name, parse_parameters(parameters));
  for (const std::string& one : moves) position->play(one);
  return forbidding_rule(*position, moves, move);
}

}  // namespace

TEST_CASE("forbidding_rule: names the parameter that forbids a move") {
  CHECK(rule("gomoku", "size=9", {}, "a1") == "opening=gomoku3");
  CHECK(rule("gomoku", "size=9", {"e5", "a1"}, "F5") == "opening=gomoku3");
  CHECK(rule("hex", "size=5 swap=off", {"c3"}, "swap") == "swap=off");
}

TEST_CASE("forbidding_rule: the board's own rules have no name") {
  CHECK(rule("gomoku", "size=9", {"e5"}, "e5").empty());
  CHECK(rule("gomoku", "size=9", {}, "z99").empty());
  CHECK(rule("gomoku", "size=5 opening=free", {"a1"}, "a1").empty());
  CHECK(rule("othello", "size=6", {}, "h8").empty());
}

}  // namespace pitboss::games
