#include "clients/referee/game_record.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

namespace pitboss::clients {

namespace {

const Sides two{{"A", "B"}, "BW"};
const Sides three{{"A", "B"}, "RYG"};
const Sides four{{"A", "B"}, "RYGB"};

const GameRecord won{1, 1, "d1 e1", {"A", "B"}, "A", "B+1", 12, "rules", 3, "d1 e1 d2"};

GameRecord with_reason(const std::string& reason) {
  GameRecord record = won;
  record.result = "B+F";
  record.reason = reason;
  return record;
}

/// "A B B", "RY+0" and "rules" make a whole line.
std::string line_of(const std::string& seats, const std::string& winner, const std::string& result,
                    const std::string& points, const std::string& reason) {
  return "1,1,," + seats + "," + winner + "," + result + "," + points + "," + reason + ",1,d3";
}

}  // namespace

TEST_CASE("csv_line") {
  CHECK(csv_line(won) == "1,1,d1 e1,A B,A,B+1,1,rules,3,d1 e1 d2");
  CHECK(csv_line(with_reason("garbage: a,\"b\"")) ==
        "1,1,d1 e1,A B,A,B+F,1,\"garbage: a,\"\"b\"\"\",3,d1 e1 d2");
}

TEST_CASE("parse_csv_line reads what csv_line writes") {
  const GameRecord drawn{12, 6, "", {"B", "A"}, "draw", "0", 6, "length", 0, ""};
  CHECK(parse_csv_line(csv_line(won), two) == won);
  CHECK(parse_csv_line(csv_line(drawn), two) == drawn);
  for (const char* reason : {"a,b", "\"", "\"\"", "a\"", ",", "\",\"", "illegal move: e9"}) {
    CAPTURE(reason);
    CHECK(parse_csv_line(csv_line(with_reason(reason)), two) == with_reason(reason));
  }
}

TEST_CASE("parse_csv_line and csv_line agree about games for three and four") {
  for (const auto& [sides, line] : {std::pair(three, line_of("A B B", "A", "R+4", "1", "rules")),
                                    {three, line_of("A B B", "B", "YG+0", "0", "rules")},
                                    {three, line_of("A B B", "draw", "RG+0", "0.5", "rules")},
                                    {three, line_of("A B B", "draw", "0", "0.333333", "rules")},
                                    {three, line_of("A A B", "draw", "0", "0.666667", "rules")},
                                    {three, line_of("A A B", "draw", "0", "0.5", "length")},
                                    {three, line_of("B A B", "B", "RG+R", "0", "resigned")},
                                    {three, line_of("B A B", "A", "Y+F", "1", "x: y")},
                                    {four, line_of("A B B B", "draw", "0", "0.25", "rules")},
                                    {four, line_of("A A B A", "draw", "0", "0.75", "rules")},
                                    {four, line_of("A B B A", "A", "RB+0", "1", "rules")},
                                    {four, line_of("A B B B", "B", "YGB+0", "0", "rules")},
                                    {four, line_of("B B A A", "A", "B+12", "1", "rules")},
                                    {four, line_of("A B B B", "B", "YGB+F", "0", "x")}}) {
    CAPTURE(line);
    CHECK(csv_line(parse_csv_line(line, sides)) == line);
  }
}

TEST_CASE("parse_csv_line refuses everything else") {
  for (const char* line :
       {// Not ten fields.
        "", "1", "1,1,,A B,A,B+1,1,rules,1", "1,1,,A B,A,B+1,1,rules,1,d1,", csv_header.data(),
        // No numbers.
        "x,1,,A B,A,B+1,1,rules,1,d1", "1,,,A B,A,B+1,1,rules,1,d1", "1,1,,A B,A,B+1,1,rules,-1,d1",
        "1,1,,A B,A,B+1,1,rules,1.0,d1", "99999999999,1,,A B,A,B+1,1,rules,1,d1",
        "1,1,,A B,A,B+1,1.0,rules,1,d1", "1,1,,A B,A,B+1,,rules,1,d1",
        "1,1,,A B,A,B+x,1,rules,1,d1",
        // Broken quotes.
        "1,1,,A B,A,B+F,1,\"x,1,d1", "1,1,,A B,A,B+F,1,x\",1,d1", "1,1,,A B,A,B+F,1,\"x\"y,1,d1",
        // Cut off in the moves.
        "1,1,,A B,A,B+1,1,rules,3,d1 e1",
        // Seats.
        "1,1,,A  B,A,B+1,1,rules,1,d1", "1,1,,A,A,B+1,1,rules,1,d1",
        "1,1,,A B A,A,B+1,1,rules,1,d1", "1,1,,A A,A,B+1,1,rules,1,d1",
        "1,1,,A C,A,B+1,1,rules,1,d1",
        // Contradictions.
        "1,1,,A B,C,B+1,1,rules,1,d1", "1,1,,A B,A,W+1,1,rules,1,d1", "1,1,,A B,A,0,1,rules,1,d1",
        "1,1,,A B,draw,B+1,1,rules,1,d1", "1,1,,A B,A,B+,1,rules,1,d1", "1,1,,A B,A,B+1,1,,1,d1",
        "1,1,,A B,A,B+1,0,rules,1,d1", "1,1,,A B,A,B+1,0.5,rules,1,d1",
        "1,1,,A B,draw,0,1,rules,1,d1", "1,1,,A B,A,B+0,1,rules,1,d1",
        "1,1,,A B,draw,BW+0,0.5,rules,1,d1", "1,1,,A B,A,B+F,1,rules,1,d1",
        "1,1,,A B,A,B+F,1,resigned,1,d1", "1,1,,A B,A,B+R,1,x,1,d1", "1,1,,A B,draw,0,0.5,x,1,d1",
        "1,1,,A B,A,B+1,1,length,1,d1"}) {
    CAPTURE(line);
    CHECK_THROWS_AS(static_cast<void>(parse_csv_line(line, two)), std::runtime_error);
  }
  for (const std::string& line :
       {// Letters that are not the game's, not in turn order, or twice.
        line_of("A B B", "A", "W+1", "1", "rules"), line_of("A B B", "B", "GY+0", "0", "rules"),
        line_of("A B B", "A", "RR+0", "1", "rules"), line_of("A B B", "A", "B+1", "1", "rules"),
        // Who shares does so by nothing, who wins alone by something.
        line_of("A B B", "B", "YG+2", "0", "rules"), line_of("A B B", "A", "R+0", "1", "rules"),
        // All that share write no letters.
        line_of("A B B", "draw", "RYG+0", "0.333333", "rules"),
        // A failure gives the point to all of the other player's colours.
        line_of("A B B", "B", "Y+F", "0", "x"), line_of("A B B", "B", "RY+F", "0", "x"),
        // Points.
        line_of("A B B", "draw", "0", "0.5", "rules"),
        line_of("A B B", "draw", "0", "0.333333", "length"),
        line_of("A B B", "draw", "0", "0.33333", "rules"),
        line_of("A B B", "draw", "RG+0", "1", "rules"),
        line_of("A B B", "A", "RG+0", "0.5", "rules")}) {
    CAPTURE(line);
    CHECK_THROWS_AS(static_cast<void>(parse_csv_line(line, three)), std::runtime_error);
  }
}

TEST_CASE("no beginning of a line is a line") {
  // A round cut off by a crash must not be taken for a shorter game.
  for (const GameRecord& record : {won, with_reason("garbage: \"x\", y")}) {
    const std::string line = csv_line(record);
    for (std::size_t length = 0; length < line.size(); ++length) {
      // The number of plies guards the moves, except within the last one.
      if (length > line.rfind(' ') + 1) continue;
      CHECK_THROWS_AS(static_cast<void>(parse_csv_line(line.substr(0, length), two)),
                      std::runtime_error);
    }
  }
}

}  // namespace pitboss::clients
