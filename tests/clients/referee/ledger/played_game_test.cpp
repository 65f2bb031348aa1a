#include "clients/referee/ledger/played_game.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace pitboss::clients {

namespace {

const Sides two{{"A", "B"}, "BW"};
const Sides three{{"A", "B"}, "RYG"};
const Sides four{{"A", "B"}, "RYGB"};

/// A record of one ply; `twelfths` are those that `winner` and result are said to mean.
PlayedGame record_of(const char* seats, const char* winner, const char* result, int twelfths,
                     const char* reason) {
  PlayedGame record;
  record.game = 1;
  record.round = 1;
  record.seats = split(seats);
  record.winner = winner;
  record.result = result;
  record.twelfths = twelfths;
  record.reason = reason;
  record.plies = 1;
  record.moves = "d3";
  return record;
}

struct Row {
  const Sides* sides;
  const char* seats;
  const char* winner;
  const char* result;
  int twelfths;
  const char* reason;

  [[nodiscard]] PlayedGame record() const {
    return record_of(seats, winner, result, twelfths, reason);
  }
};

}  // namespace

TEST_CASE("csv_line") {
  PlayedGame record = record_of("A B", "A", "B+1", 12, "rules");
  record.opening = "d1 e1";
  record.moves = "d1 e1 d2";
  record.plies = 3;
  record.seconds = {0.25, 1};
  const std::string untold = ",,,,0.250000,1.000000";  // no values, no simulations
  CHECK(csv_line(record, two) == "1,1,A,B,d1 e1,A B,A,B+1,1,0,rules,3,d1 e1 d2" + untold);
  record.result = "B+F";
  record.reason = "garbage: a,\"b\"";
  CHECK(csv_line(record, two) ==
        "1,1,A,B,d1 e1,A B,A,B+F,1,0,\"garbage: a,\"\"b\"\"\",3,d1 e1 d2" + untold);
  record.twelfths = 4;
  CHECK(csv_line(record, two).find(",0.333333,0.666667,") != std::string::npos);
  record.values = "- - 512";
  record.efforts = {"5000/12/3120/3200", "-/3/-/-"};
  CHECK(csv_line(record, two).ends_with(",d1 e1 d2,- - 512,5000,-,0.250000,1.000000"));
  record.reason = "rules";  // without a comma
  const std::string names = std::string(csv_header).substr(std::string("match,rules,").size());
  CHECK(std::ranges::count(names, ',') == std::ranges::count(csv_line(record, two), ','));
}

TEST_CASE("records that a game can leave") {
  const Row rows[] = {{&two, "A B", "A", "B+1", 12, "rules"},
                      {&two, "B A", "draw", "0", 6, "length"},
                      {&two, "B A", "draw", "0", 6, "adjudicated"},
                      {&two, "B A", "A", "W+A", 12, "adjudicated"},
                      {&two, "B A", "A", "W+A", 12, "exact"},
                      {&two, "B A", "draw", "0", 6, "exact"},
                      {&three, "A B B", "A", "R+4", 12, "rules"},
                      {&three, "A B B", "B", "YG+0", 0, "rules"},
                      {&three, "A B B", "draw", "RG+0", 6, "rules"},
                      {&three, "A B B", "draw", "0", 4, "rules"},
                      {&three, "A A B", "draw", "0", 8, "rules"},
                      {&three, "A A B", "draw", "0", 6, "length"},
                      {&three, "B A B", "B", "RG+R", 0, "resigned"},
                      {&three, "B A B", "A", "Y+F", 12, "x: y"},
                      {&four, "A B B B", "draw", "0", 3, "rules"},
                      {&four, "A A B A", "draw", "0", 9, "rules"},
                      {&four, "A B B A", "A", "RB+0", 12, "rules"},
                      {&four, "A B B B", "B", "YGB+0", 0, "rules"},
                      {&four, "B B A A", "A", "B+12", 12, "rules"},
                      {&four, "A B B B", "B", "YGB+F", 0, "x"},
                      {&two, "B A", "B", "B+T", 0, "time forfeit"},
                      {&four, "A B B B", "A", "R+T", 12, "time forfeit"}};
  for (const Row& row : rows) {
    const PlayedGame record = row.record();
    CAPTURE(csv_line(record, *row.sides));
    CHECK_NOTHROW(check_game(record, *row.sides));
    PlayedGame settled = record;
    settled.winner.clear();
    settled.twelfths = -1;
    settle(settled, *row.sides);
    CHECK(settled == record);
  }
}

TEST_CASE("records that no game can leave") {
  const Row rows[] = {// Seats.
                      {&two, "A", "A", "B+1", 12, "rules"},
                      {&two, "A B A", "A", "B+1", 12, "rules"},
                      {&two, "A A", "A", "B+1", 12, "rules"},
                      {&two, "A C", "A", "B+1", 12, "rules"},
                      // Contradictions.
                      {&two, "A B", "C", "B+1", 12, "rules"},
                      {&two, "A B", "A", "W+1", 12, "rules"},
                      {&two, "A B", "A", "0", 12, "rules"},
                      {&two, "A B", "draw", "B+1", 12, "rules"},
                      {&two, "A B", "A", "B+1", 0, "rules"},
                      {&two, "A B", "A", "B+1", 6, "rules"},
                      {&two, "A B", "draw", "0", 12, "rules"},
                      {&two, "A B", "A", "B+", 12, "rules"},
                      {&two, "A B", "A", "B+x", 12, "rules"},
                      {&two, "A B", "A", "B+0", 12, "rules"},
                      {&two, "A B", "draw", "BW+0", 6, "rules"},
                      {&two, "A B", "A", "B+1", 12, ""},
                      {&two, "A B", "A", "B+F", 12, "rules"},
                      {&two, "A B", "A", "B+F", 12, "resigned"},
                      {&two, "A B", "A", "B+F", 12, "time forfeit"},
                      {&two, "A B", "A", "B+T", 12, "x"},
                      {&two, "A B", "A", "B+F", 12, "adjudicated"},
                      {&two, "A B", "A", "B+A", 12, "rules"},
                      {&two, "A B", "A", "B+R", 12, "x"},
                      {&two, "A B", "draw", "0", 6, "x"},
                      {&two, "A B", "A", "B+1", 12, "length"},
                      // Letters that are not the game's, not in turn order, or twice.
                      {&three, "A B B", "A", "W+1", 12, "rules"},
                      {&three, "A B B", "B", "GY+0", 0, "rules"},
                      {&three, "A B B", "A", "RR+0", 12, "rules"},
                      {&three, "A B B", "A", "B+1", 12, "rules"},
                      // Who shares does so by nothing, who wins alone by something.
                      {&three, "A B B", "B", "YG+2", 0, "rules"},
                      {&three, "A B B", "A", "R+0", 12, "rules"},
                      // All that share write no letters.
                      {&three, "A B B", "draw", "RYG+0", 4, "rules"},
                      // A failure gives the point to all of the other player's colours.
                      {&three, "A B B", "B", "Y+F", 0, "x"},
                      {&three, "A B B", "B", "RY+F", 0, "x"},
                      // Points.
                      {&three, "A B B", "draw", "0", 6, "rules"},
                      {&three, "A B B", "draw", "0", 4, "length"},
                      {&three, "A B B", "draw", "RG+0", 12, "rules"},
                      {&three, "A B B", "A", "RG+0", 6, "rules"}};
  for (const Row& row : rows) {
    CAPTURE(csv_line(row.record(), *row.sides));
    CHECK_THROWS_AS(check_game(row.record(), *row.sides), std::runtime_error);
  }
  PlayedGame record = record_of("A B", "A", "B+1", 12, "rules");
  record.plies = 2;
  CHECK_THROWS_AS(check_game(record, two), std::runtime_error);
  record.moves = "d3  d4";
  CHECK_THROWS_AS(check_game(record, two), std::runtime_error);
}

TEST_CASE("values of moves") {
  PlayedGame record = record_of("A B", "A", "B+1", 12, "rules");
  record.moves = "d3 d4 d5 d6";
  record.plies = 4;
  CHECK(values_text({}).empty());
  CHECK(values_text({std::nullopt, std::nullopt}).empty());
  CHECK(values_of(record).empty());
  record.values = values_text({std::nullopt, 0.0, 1.0, 0.0625});
  CHECK(record.values == "- 0 1000 62");
  CHECK_NOTHROW(check_game(record, two));
  CHECK(values_of(record) == std::vector<std::optional<double>>{std::nullopt, 0.0, 1.0, 0.062});
  for (const char* wrong : {"- 0 1000", "- 0 1000 62 5", "- 0 1001 62", "- 0 -1 62", "- 0 x 62"}) {
    record.values = wrong;
    CHECK_THROWS_AS(check_game(record, two), std::runtime_error);
  }
}

TEST_CASE("what moves have taken") {
  PlayedGame record = record_of("A B", "A", "B+1", 12, "rules");
  record.moves = "d3 d4 d5";
  record.plies = 3;
  CHECK(efforts_text({}).empty());
  CHECK(efforts_text({{}, {}}).empty());
  CHECK(efforts_in("").empty());
  const std::vector<Effort> efforts{{5000, 12, 3120, 3200}, {}, {0, 0, {}, 7}};
  const std::string text = "5000/12/3120/3200 -/-/-/- 0/0/-/7";
  CHECK(efforts_text(efforts) == text);
  CHECK(efforts_in(text) == efforts);
  const std::vector<Effort> exact{{0, 0, 31, 32, true}, {5, 2, 31, 32}};
  CHECK(efforts_text(exact) == "0/0/31/32/exact 5/2/31/32");
  CHECK(efforts_in(efforts_text(exact)) == exact);
  record.efforts = {"5000/12/3120/3200 4000/9/3120/3200", "1/1/1/1"};
  CHECK_NOTHROW(check_game(record, two));
  for (const char* wrong : {"5000", "1/2/3", "1/2/3/4/5", "1/2/3/", "1/2//4", "1/2/3/exact",
                            "a/2/3/4", "-1/2/3/4", "1/2/3/4 1/2/3/4 1/2/3/4"}) {
    CAPTURE(wrong);
    record.efforts[1] = wrong;
    CHECK_THROWS_AS(check_game(record, two), std::runtime_error);
  }
}

TEST_CASE("join and split") {
  CHECK(join({}).empty());
  CHECK(split("").empty());
  CHECK(join({"a", "b", "c"}) == "a b c");
  CHECK(split("a b c") == std::vector<std::string>{"a", "b", "c"});
}

}  // namespace pitboss::clients
