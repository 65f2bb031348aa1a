#include "server/net/inbox.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using pitboss::server::Inbox;

namespace {

std::vector<std::string> take_all(Inbox& inbox) {
  std::vector<std::string> lines;
  while (inbox.look()) {
  }
  while (inbox.waiting() > 0) {
    lines.emplace_back(inbox.front().all());
    inbox.pop();
  }
  return lines;
}

}  // namespace

TEST_CASE("Inbox: lines do not depend on how the bytes are cut") {
  const std::string input = "name\nversion\r\n\nplay b d1\nrest";
  for (std::size_t size = 1; size <= input.size(); ++size) {
    Inbox inbox(100);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < input.size(); at += size) {
      inbox.append(input.substr(at, size));
      for (auto& line : take_all(inbox)) lines.push_back(line);
    }
    CHECK(lines == std::vector<std::string>{"name", "version", "", "play b d1"});
    CHECK(inbox.bytes() == 4);
    inbox.end();
    CHECK(take_all(inbox) == std::vector<std::string>{"rest"});
    CHECK(inbox.bytes() == 0);
  }
}

TEST_CASE("Inbox: each line is looked at once") {
  Inbox inbox(100);
  inbox.append("one\ntwo\nthr");
  CHECK(inbox.look()->all() == "one");
  CHECK(inbox.waiting() == 1);
  CHECK(inbox.look()->all() == "two");
  CHECK_FALSE(inbox.look());
  inbox.append("ee\n");
  inbox.pop();
  CHECK(inbox.look()->all() == "three");
  CHECK(inbox.looked() == 3);
  CHECK(inbox.popped() == 1);
  CHECK(inbox.front().all() == "two");
}

TEST_CASE("Inbox: a line may be as long as allowed and no longer") {
  struct Row {
    std::string input;
    std::size_t lines;
    bool too_long;
  };
  const Row rows[] = {
      {"12345678\n", 1, false},
      {"123456789\n", 0, true},
      {"12345678", 0, false},
      {"123456789", 0, true},  // before it ends
      {"a\nb\n123456789\nc\n", 2, true},
      {std::string(100, '\n'), 100, false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.input);
    Inbox inbox(8);
    inbox.append(row.input);
    CHECK(take_all(inbox).size() == row.lines);
    CHECK(inbox.too_long() == row.too_long);
    inbox.append("more\n");  // is not taken
    if (row.too_long) CHECK(take_all(inbox).empty());
    if (row.too_long) CHECK(inbox.bytes() == 0);
  }
}

TEST_CASE("Inbox: zero bytes end no line") {
  Inbox inbox(100);
  inbox.append(std::string_view("a\0b\n\0\n", 6));
  CHECK(take_all(inbox) == std::vector<std::string>{"ab", ""});
}
