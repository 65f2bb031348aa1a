#include "clients/review/judgement.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace pitboss::clients {

namespace {

/// Positions of a game for two, by what they are worth to black.
std::vector<PositionValues> for_two(const std::vector<double>& values) {
  std::vector<PositionValues> out;
  for (const double value : values) out.push_back({value, 1 - value});
  return out;
}

/// Moves by black and white in turn, none of which the search would have made.
std::vector<MoveMade> in_turn(std::size_t count) {
  std::vector<MoveMade> moves;
  for (std::size_t i = 0; i < count; ++i) moves.push_back({.mover = static_cast<int>(i % 2)});
  return moves;
}

/// '?' for a mistake, '*' for a turning point, '!' for both, '.' for neither.
std::string marks(const std::vector<double>& values, const Thresholds& thresholds = {}) {
  std::string out;
  for (const MoveVerdict& v :
       verdicts_on(for_two(values), in_turn(values.size() - 1), thresholds)) {
    out += v.is_mistake ? (v.is_turning_point ? '!' : '?') : (v.is_turning_point ? '*' : '.');
  }
  return out;
}

}  // namespace

TEST_CASE(
    "a mistake is a move that gives away as much as the threshold, by the side that made it") {
  struct Row {
    std::vector<double> values;
    std::string marks;
  };
  const std::vector<Row> rows{// black loses exactly the threshold, a little less, more
                              {{0.50, 0.40}, "?"},
                              {{0.50, 0.401}, "."},
                              {{0.52, 0.40}, "?"},
                              // black gains: that is no mistake of black's
                              {{0.50, 0.54}, "."},
                              // white's loss is black's gain
                              {{0.50, 0.50, 0.54}, ".."},
                              {{0.40, 0.40, 0.52}, ".?"},
                              // in a position that is lost nothing can be given away
                              {{0.00, 0.00}, "."},
                              {{0.08, 0.00}, "."}};
  for (const Row& row : rows) {
    CAPTURE(row.values);
    std::string mistakes = marks(row.values);
    for (char& mark : mistakes) mark = mark == '!' ? '?' : mark == '*' ? '.' : mark;
    CHECK(mistakes == row.marks);
  }
}

TEST_CASE("the search's own move is no mistake, whatever comes of it; what is not known is none") {
  const auto values = for_two({0.9, 0.2});
  const std::vector<MoveMade> best{{.mover = 0, .is_best = true}};
  const auto judged = verdicts_on(values, best, {});
  CHECK(judged.front().loss == 0.0);
  CHECK_FALSE(judged.front().is_mistake);
  CHECK(judged.front().is_turning_point);  // the lead has changed all the same
  for (const bool is_first : {true, false}) {
    auto some = values;
    some[is_first ? 0 : 1] = {std::nullopt, std::nullopt};
    const auto unknown = verdicts_on(some, in_turn(1), {});
    CHECK_FALSE(unknown.front().loss.has_value());
    CHECK_FALSE(unknown.front().is_mistake);
  }
  CHECK(verdicts_on(for_two({0.5}), {}, {}).empty());
  CHECK(verdicts_on({}, {}, {}).empty());
}

TEST_CASE("a turning point brings another side into the lead") {
  struct Row {
    std::vector<double> values;
    std::string marks;
  };
  const Thresholds thresholds{.mistake = 1, .lead = 0.1};  // 0.55 leads
  const std::vector<Row> rows{                             // nobody has led before
                              {{0.50, 0.55}, "*"},
                              {{0.50, 0.549}, "."},
                              // who leads at first has not come there by a move
                              {{0.60, 0.70}, "."},
                              {{0.60, 0.40}, "*"},
                              // the lead is kept until the other side has it
                              {{0.60, 0.50, 0.60}, ".."},
                              {{0.60, 0.46, 0.52, 0.45}, "..*"},
                              {{0.60, 0.30, 0.20, 0.70}, "*.*"},
                              // a draw in the end is nobody's lead
                              {{0.60, 0.50}, "."}};
  for (const Row& row : rows) {
    CAPTURE(row.values);
    CHECK(marks(row.values, thresholds) == row.marks);
  }
}

TEST_CASE("one of many leads who is ahead of all others; nobody does if a value is not known") {
  CHECK(leader_of({0.4, 0.3, 0.2, 0.1}, 0.1) == 0);
  CHECK(leader_of({0.1, 0.3, 0.4, 0.2}, 0.1) == 2);
  CHECK(leader_of({0.4, 0.35, 0.25}, 0.1) == no_leader);
  CHECK(leader_of({std::nullopt, 0.6, std::nullopt}, 0.1) == no_leader);
  CHECK(leader_of({0.1, 0.6, std::nullopt}, 0.1) == no_leader);
  CHECK(leader_of({std::nullopt, std::nullopt}, 0.1) == no_leader);
  CHECK(leader_of({}, 0.1) == no_leader);
}

TEST_CASE("where the search tells the mover's value alone, no move but the last can be judged") {
  std::vector<PositionValues> values(4, PositionValues(3));
  for (std::size_t i = 0; i < 3; ++i) values[i][i] = 0.5;
  values[3] = {1.0, 0.0, 0.0};
  const std::vector<MoveMade> moves{{.mover = 0}, {.mover = 1}, {.mover = 2}};
  const auto verdicts = verdicts_on(values, moves, {});
  for (const MoveVerdict& verdict : verdicts) CHECK_FALSE(verdict.is_turning_point);
  CHECK_FALSE(verdicts[0].loss.has_value());
  CHECK_FALSE(verdicts[1].loss.has_value());
  CHECK(verdicts[2].is_mistake);
}

}  // namespace pitboss::clients
