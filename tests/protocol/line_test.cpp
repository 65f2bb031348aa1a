#include "protocol/line.hpp"

#include <doctest/doctest.h>

#include "protocol/error.hpp"

using namespace pitboss::protocol;
using namespace std::string_literals;

TEST_CASE("Line: what is left of the bytes") {
  struct Row {
    std::string line, expected;
  };
  for (const Row& r :
       {Row{"name", "name"}, Row{"  name \r", "name"}, Row{"", ""}, Row{"   ", ""},
        Row{"# comment", ""}, Row{"name # comment", "name"}, Row{"play\tb\td4", "play b d4"},
        Row{"na\0me\x07\x7f"s, "name"}, Row{"1 name#", "1 name"}, Row{"\xff\xfe", "\xff\xfe"}}) {
    CHECK(Line(r.line).all() == r.expected);
    CHECK(Line(r.line).is_blank() == r.expected.empty());
  }
}

TEST_CASE("Line: its parts") {
  Line c("play b  d4");
  CHECK(c.id().empty());
  CHECK(c.command() == "play");
  CHECK(words_in(c.arguments()) == std::vector<std::string>{"b", "d4"});
  CHECK(c.arguments() == "b  d4");
  c = Line("007 name");
  CHECK(c.id() == "007");
  CHECK(c.command() == "name");
  CHECK(c.arguments().empty());
  c.check();
  c = Line("12");
  CHECK_THROWS_AS(c.check(), CommandError);
  CHECK(c.id() == "12");  // the answer carries it
  CHECK(c.command().empty());
  for (const char* const large : {"2147483648 name", "99999999999999999999999999 name"}) {
    CHECK_THROWS_AS(Line(large).check(), CommandError);
    CHECK(Line(large).id().empty());
  }
  Line("2147483647 name").check();
}

TEST_CASE("Line: quit") {
  for (const char* const line : {"quit", "7 quit", "  quit \r", "quit # now"}) {
    CHECK(Line(line).is_quit());
  }
  for (const char* const line : {"", "quit now", "quitter", "name", "# quit"}) {
    CHECK_FALSE(Line(line).is_quit());
  }
}

TEST_CASE("success and failure") {
  CHECK(success("", "") == "= \n\n");
  CHECK(success("3", "d4") == "=3 d4\n\n");
  CHECK(failure("3", "no") == "?3 no\n\n");
  // An empty line would end the answer.
  CHECK(success("", "a\n\n\nb\n") == "= a\n \n \nb\n\n");
  CHECK(failure("", std::string(100000, 'x')).size() < 400);
}
