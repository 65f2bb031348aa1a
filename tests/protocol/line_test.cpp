#include "protocol/line.hpp"

#include <doctest/doctest.h>

#include "protocol/error.hpp"

using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::string_literals;

TEST_CASE("cleaned") {
  struct Row {
    std::string line, expected;
  };
  for (const Row& r :
       {Row{"name", "name"}, Row{"  name \r", "name"}, Row{"", ""}, Row{"   ", ""},
        Row{"# comment", ""}, Row{"name # comment", "name"}, Row{"play\tb\td4", "play b d4"},
        Row{"na\0me\x07\x7f"s, "name"}, Row{"1 name#", "1 name"}, Row{"\xff\xfe", "\xff\xfe"}}) {
    CHECK(cleaned(r.line) == r.expected);
  }
}

TEST_CASE("split") {
  std::string id;
  ParsedLine c = split("play b  d4", id);
  CHECK(id.empty());
  CHECK(c.name == "play");
  CHECK(words_in(c.text) == std::vector<std::string>{"b", "d4"});
  CHECK(c.text == "b  d4");
  c = split("007 name", id);
  CHECK(id == "007");
  CHECK(c.name == "name");
  CHECK(words_in(c.text).empty());
  id.clear();
  CHECK_THROWS_AS(static_cast<void>(split("12", id)), CommandError);
  CHECK(id == "12");  // the answer carries it
  id.clear();
  CHECK_THROWS_AS(static_cast<void>(split("2147483648 name", id)), CommandError);
  CHECK_THROWS_AS(static_cast<void>(split("99999999999999999999999999 name", id)), CommandError);
  CHECK(id.empty());
  CHECK(split("2147483647 name", id).name == "name");
}

TEST_CASE("success and failure") {
  CHECK(success("", "") == "= \n\n");
  CHECK(success("3", "d4") == "=3 d4\n\n");
  CHECK(failure("3", "no") == "?3 no\n\n");
  // An empty line would end the answer.
  CHECK(success("", "a\n\n\nb\n") == "= a\n \n \nb\n\n");
  CHECK(failure("", std::string(100000, 'x')).size() < 400);
}
