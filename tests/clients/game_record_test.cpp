#include "clients/game_record.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace pitboss::clients {

namespace {

const GameRecord won{1, 1, "d1 e1", "A", "B", "A", "B+1", "rules", 3, "d1 e1 d2"};

GameRecord with_reason(const std::string& reason) {
  GameRecord record = won;
  record.result = "B+F";
  record.reason = reason;
  return record;
}

}  // namespace

TEST_CASE("csv_line") {
  CHECK(csv_line(won) == "1,1,d1 e1,A,B,A,B+1,rules,3,d1 e1 d2");
  CHECK(csv_line(with_reason("garbage: a,\"b\"")) ==
        "1,1,d1 e1,A,B,A,B+F,\"garbage: a,\"\"b\"\"\",3,d1 e1 d2");
}

TEST_CASE("parse_csv_line reads what csv_line writes") {
  const GameRecord drawn{12, 6, "", "B", "A", "draw", "0", "length", 0, ""};
  CHECK(parse_csv_line(csv_line(won)) == won);
  CHECK(parse_csv_line(csv_line(drawn)) == drawn);
  for (const char* reason : {"a,b", "\"", "\"\"", "a\"", ",", "\",\"", "illegal move: e9"}) {
    CAPTURE(reason);
    CHECK(parse_csv_line(csv_line(with_reason(reason))) == with_reason(reason));
  }
}

TEST_CASE("parse_csv_line refuses everything else") {
  for (const char* line :
       {// Not ten fields.
        "", "1", "1,1,,A,B,A,B+1,rules,1", "1,1,,A,B,A,B+1,rules,1,d1,", csv_header.data(),
        // No numbers.
        "x,1,,A,B,A,B+1,rules,1,d1", "1,,,A,B,A,B+1,rules,1,d1", "1,1,,A,B,A,B+1,rules,-1,d1",
        "1,1,,A,B,A,B+1,rules,1.0,d1", "99999999999,1,,A,B,A,B+1,rules,1,d1",
        // Broken quotes.
        "1,1,,A,B,A,B+F,\"x,1,d1", "1,1,,A,B,A,B+F,x\",1,d1", "1,1,,A,B,A,B+F,\"x\"y,1,d1",
        // Cut off in the moves.
        "1,1,,A,B,A,B+1,rules,3,d1 e1",
        // Contradictions.
        "1,1,,A,B,C,B+1,rules,1,d1", "1,1,,A,B,A,W+1,rules,1,d1", "1,1,,A,B,A,0,rules,1,d1",
        "1,1,,A,B,draw,B+1,rules,1,d1", "1,1,,A,B,A,B+,rules,1,d1", "1,1,,A,B,A,B+1,,1,d1"}) {
    CAPTURE(line);
    CHECK_THROWS_AS(static_cast<void>(parse_csv_line(line)), std::runtime_error);
  }
}

TEST_CASE("no beginning of a line is a line") {
  // A pair cut off by a crash must not be taken for a shorter game.
  for (const GameRecord& record : {won, with_reason("garbage: \"x\", y")}) {
    const std::string line = csv_line(record);
    for (std::size_t length = 0; length < line.size(); ++length) {
      // The number of plies guards the moves, except within the last one.
      if (length > line.rfind(' ') + 1) continue;
      CHECK_THROWS_AS(static_cast<void>(parse_csv_line(line.substr(0, length))),
                      std::runtime_error);
    }
  }
}

}  // namespace pitboss::clients
