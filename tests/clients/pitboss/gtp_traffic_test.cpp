#include "clients/pitboss/gtp_traffic.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace pitboss::clients {

namespace {

std::size_t commands_in(std::string_view text, std::size_t piece) {
  SentCommands sent;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    sent.take(text.substr(0, piece));
  }
  sent.end();
  return sent.count();
}

struct Parts {
  std::string answers;
  std::string graphics;
  std::size_t count;
  friend bool operator==(const Parts&, const Parts&) = default;
};

Parts parts_of(std::string_view text, std::size_t piece) {
  ReceivedAnswers received;
  Parts parts{};
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) {
    received.take(text.substr(0, piece), parts.answers, parts.graphics);
  }
  received.end(parts.answers);
  parts.count = received.count();
  return parts;
}

}  // namespace

TEST_CASE("SentCommands") {
  struct Row {
    const char* text;
    std::size_t count;
  };
  constexpr Row rows[] = {
      {"", 0},
      {"name\n", 1},
      {"name", 1},
      {"1 name\r\n2 name\r\n", 2},
      {"\n \t \r\n\x01\n", 0},
      {"# interrupt\n  # more\nname # why\n", 1},
      {"name\nquit\nname\n", 2},
      {"name\n 17\tquit \r\nname\n", 2},
      {"quite\nquit now\nquitter\nname\n", 4},
      {"\xc3\xa9\n", 1},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    for (const std::size_t piece : {1, 2, 3, 1000})
      CHECK(commands_in(row.text, piece) == row.count);
  }
  CHECK(commands_in(std::string(1 << 20, 'a'), 1000) == 1);
}

TEST_CASE("SentCommands::is_over") {
  SentCommands sent;
  sent.take("name\nqui");
  CHECK_FALSE(sent.is_over());
  sent.take("t\n");
  CHECK(sent.is_over());
  SentCommands ended;
  ended.end();
  CHECK(ended.is_over());
}

TEST_CASE("ReceivedAnswers") {
  struct Row {
    const char* text;
    Parts parts;
  };
  const Row rows[] = {
      {"", {"", "", 0}},
      {"= a\n\n", {"= a\n\n", "", 1}},
      {"=1 a\nb\n\n?2 c\n\n= \n\n", {"=1 a\nb\n\n?2 c\n\n= \n\n", "", 3}},
      {"= a\r\n\r\n= b\r\n\r\n", {"= a\r\n\r\n= b\r\n\r\n", "", 2}},
      // a line of graphics before, between and behind answers
      {"gogui-gfx: CIRCLE a1\n= \n\n", {"= \n\n", "gogui-gfx: CIRCLE a1\n", 1}},
      {"= \n\ngogui-gfx: CLEAR\n= \n\n", {"= \n\n= \n\n", "gogui-gfx: CLEAR\n", 2}},
      {"= \n\ngogui-gfx:CLEAR\n", {"= \n\n", "gogui-gfx:CLEAR\n", 1}},
      // a block
      {"gogui-gfx:\nTEXT = a\nMARK b2\n\n= \n\n",
       {"= \n\n", "gogui-gfx:\nTEXT = a\nMARK b2\n\n", 1}},
      {"gogui-gfx: \r\nTEXT a\r\n\r\n= \n\n", {"= \n\n", "gogui-gfx: \r\nTEXT a\r\n\r\n", 1}},
      {"gogui-gfx: MARK a1\ngogui-gfx:\nCLEAR\n\ngogui-gfx: MARK b1\n",
       {"", "gogui-gfx: MARK a1\ngogui-gfx:\nCLEAR\n\ngogui-gfx: MARK b1\n", 0}},
      // within an answer it is text
      {"= a\ngogui-gfx: CLEAR\n\n", {"= a\ngogui-gfx: CLEAR\n\n", "", 1}},
      {"= gogui-gfx: CLEAR\n\n", {"= gogui-gfx: CLEAR\n\n", "", 1}},
      // what is not for us to judge is passed on
      {"gogui-gfy: CLEAR\n= \n\n", {"gogui-gfy: CLEAR\n= \n\n", "", 1}},
      {" gogui-gfx: CLEAR\nstray\n\n= \n\n", {" gogui-gfx: CLEAR\nstray\n\n= \n\n", "", 1}},
      {"= \n\ngogui", {"= \n\ngogui", "", 1}},
      {"= half", {"= half", "", 0}},
      // a block without an end is none
      {"gogui-gfx:\nCLEAR\n", {"", "", 0}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.text);
    for (const std::size_t piece : {1, 2, 3, 7, 11, 1000}) {
      CAPTURE(piece);
      const Parts parts = parts_of(row.text, piece);
      CHECK(parts.answers == row.parts.answers);
      CHECK(parts.graphics == row.parts.graphics);
      CHECK(parts.count == row.parts.count);
    }
  }
}

TEST_CASE("ReceivedAnswers passes on what has no end, and drops graphics that are too long") {
  const std::string endless(ReceivedAnswers::max_block_bytes, 'a');
  CHECK(parts_of("= " + endless, 4096).answers == "= " + endless);
  CHECK(parts_of(endless, 4096).answers == endless);
  for (const std::string begin : {"gogui-gfx: TEXT ", "gogui-gfx:\nTEXT "}) {
    const Parts parts = parts_of(begin + endless + "\n\n= \n\ngogui-gfx: CLEAR\n", 4096);
    CHECK(parts.graphics == "gogui-gfx: CLEAR\n");
    CHECK(parts.answers.ends_with("= \n\n"));
    CHECK(parts.count == 1);
  }
}

}  // namespace pitboss::clients
