#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "games/cannon.hpp"
#include "games/notation.hpp"
#include "tests/games/battery.hpp"

namespace pitboss::games {
namespace {

/// A position line of pieces as "Xe4 Ob7 Be1 Wf10".
std::string line_of(std::string_view pieces, std::string_view rest) {
  std::vector<std::string> rows(10, "..........");
  for (const std::string& piece : split(pieces)) {
    const auto place = place_of(piece.substr(1));
    rows[9 - place->y][place->x] = piece[0];
  }
  std::string line;
  for (const auto& row : rows) line += (line.empty() ? "" : "/") + row;
  return line + " " + std::string(rest);
}

struct Moves {
  std::string_view pieces;
  std::string_view rest;
  std::string_view moves;
};

const std::vector<Moves> moves = {
    // Steps: straight and diagonally forward.
    {"Xe4 Oa9 Be1 Wf10", "b", "e4d5 e4e5 e4f5"},
    {"Xe4 Oa9 Be1 Wf10", "w", "a9a8 a9b8"},
    {"Xe4 Xe5 Oa9 Be1 Wf10", "b", "e4d5 e4f5 e5d6 e5e6 e5f6"},
    {"Xk9 Oa9 Be1 Wb10", "b", "k9j10 k9k10"},
    // The end of a row is no neighbour of the next one's beginning.
    {"Xk4 Oa5 Be1 Wf10", "b", "k4j5 k4k5"},
    {"Xa4 Ok4 Ok3 Be1 Wf10", "b", "a4a5 a4b5"},
    // Captures forward and sideways, not backward; a retreat needs both points empty.
    {"Xe4 Od5 Oe5 Of4 Od4 Oe3 Of3 Be1 Wf10", "b", "e4c2 e4d4 e4d5 e4e5 e4f4 e4f5"},
    // Retreats beside an enemy, though not next to an own man; onto the first row, not the town.
    {"Xe3 Oe4 Be1 Wf10", "b", "e3c1 e3d4 e3e4 e3f4 e3g1"},
    {"Xe3 Oe5 Be1 Wf10", "b", "e3d4 e3e4 e3f4"},
    {"Xe3 Xd2 Oe4 Bb1 Wf10", "b", "d2c3 d2d3 e3d4 e3e1 e3e4 e3f4 e3g1"},
    {"Xe4 Oe2 Oe5 Be1 Wf10", "b", "e4c2 e4d5 e4e5 e4f5 e4g2"},
    // The enemy's town is an enemy.
    {"Xe9 Oa5 Bb1 We10", "b", "e9c7 e9d10 e9e10 e9e7 e9f10 e9g7"},
    // A cannon moves both ways, along rows, columns and diagonals.
    {"Xe4 Xe5 Xe6 Oa9 Bb1 Wb10", "b", "e4d5 e4e7 e4f5 e5d6 e5f6 e6d7 e6e3 e6e7 e6f7"},
    {"Xb2 Xc3 Xd4 Oa9 Bf1 Wb10", "b", "b2a3 b2b3 b2e5 c3b4 c3c4 d4a1 d4c5 d4d5 d4e5"},
    {"Xd4 Xe4 Xf4 Oa9 Bb1 Wb10", "b", "d4c5 d4d5 d4e5 d4g4 e4d5 e4e5 e4f5 f4c4 f4e5 f4f5 f4g5"},
    // Of four in a row, the three in front or behind; a town blocks and is no part of a cannon.
    {"Xe2 Xe3 Xe4 Xe5 Oa9 Be1 Wb10", "b", "e2d3 e2f3 e3d4 e3e6 e3f4 e4d5 e4f5 e5d6 e5e6 e5f6"},
    {"Xe2 Xe3 Oa9 Be1 Wb10", "b", "e2d3 e2f3 e3d4 e3e4 e3f4"},
    // Shots at the second and the third point, over whatever stands on the second.
    {"Xh2 Xh3 Xh4 Oh6 Bb1 Wb10", "b", "h2g3 h2h5 h2j3 h3g4 h3j4 h4g5 h4h1 h4h5 h4j5 h4xh6"},
    {"Xh2 Xh3 Xh4 Oh6 Oh7 Bb1 Wb10", "b",
     "h2g3 h2h5 h2j3 h3g4 h3j4 h4g5 h4h1 h4h5 h4j5 h4xh6 h4xh7"},
    {"Xh2 Xh3 Xh4 Xh6 Oh7 Bb1 Wb10", "b",
     "h2g3 h2h5 h2j3 h3g4 h3j4 h4g5 h4h1 h4h5 h4j5 h4xh7 h6f4 h6g7 h6h7 h6j7 h6k4"},
    {"Xh2 Xh3 Xh4 Oh8 Bb1 Wb10", "b", "h2g3 h2h5 h2j3 h3g4 h3j4 h4g5 h4h1 h4h5 h4j5"},
    // Not past a point in front that is not empty.
    {"Xh2 Xh3 Xh4 Oh5 Oh6 Oh7 Bb1 Wb10", "b", "h2g3 h2j3 h3g4 h3j4 h4f2 h4g5 h4h1 h4h5 h4j5 h4k2"},
    // Shots backward, sideways and at the town.
    {"Oh7 Oh6 Oh5 Xh3 Xh9 Be1 Wb10", "w",
     "h5g4 h5h4 h5h8 h5j4 h5xh3 h6g5 h6j5 h7g6 h7h4 h7j6 h7xh9"},
    {"Oc3 Od3 Oe3 Xg3 Xh9 Bf1 Wb10", "w",
     "c3b2 c3c2 c3d2 c3f3 d3c2 d3d2 d3e2 e3b3 e3d2 e3e2 e3f2 e3xg3"},
    {"Oe3 Oe4 Oe5 Xh9 Be1 Wb10", "w", "e3d2 e3e2 e3f2 e3e6 e3xe1 e4d3 e4f3 e5d4 e5e2 e5f4"},
};

TEST_CASE("Cannon::legal_moves()") {
  for (const Moves& row : moves) {
    CAPTURE(row.pieces);
    auto expected = split(row.moves);
    std::ranges::sort(expected);
    CHECK(moves_of(*game_at("cannon", line_of(row.pieces, row.rest))) == joined(expected));
  }
}

TEST_CASE("Cannon: towns are placed first") {
  const auto game = game_of("cannon");
  CHECK(game->position() ==
        "........../O.O.O.O.O./O.O.O.O.O./O.O.O.O.O./........../........../"
        ".X.X.X.X.X/.X.X.X.X.X/.X.X.X.X.X/.......... b");
  CHECK(moves_of(*game) == "b1 c1 d1 e1 f1 g1 h1 j1");
  game->play("E1");
  CHECK(moves_of(*game) == "b10 c10 d10 e10 f10 g10 h10 j10");
  game->play("b10");
  CHECK(game->position() ==
        ".W......../O.O.O.O.O./O.O.O.O.O./O.O.O.O.O./........../........../"
        ".X.X.X.X.X/.X.X.X.X.X/.X.X.X.X.X/....B..... b");
  game->play("b2b5");
  game->play("a9-a6");
  game->play("b4-a5");
  CHECK(game->canonical("a6a5") == "a6a5");
  CHECK(split(game->position()).back() == "5");
  CHECK(split(moves_of(*game_of("cannon rules=paper"))).size() == 10);
}

struct Play {
  std::string_view rules;
  std::string_view pieces;
  std::string_view rest;
  std::string_view move;
  std::string_view outcome;  ///< "illegal" if the move is
};

const std::vector<Play> plays = {
    // Captures of soldiers and shots: the shooter stays.
    {"official", "Xe4 Oe5 Oa9 Be1 Wb10", "b", "e4xe5", ""},
    {"official", "Xh2 Xh3 Xh4 Oh6 Oa9 Bb1 Wb10", "b", "h4h6", ""},
    // Who takes the town wins, by capture or by shot.
    {"official", "Xe9 Oa5 Bb1 We10", "b", "e9e10", "B+1"},
    {"official", "Xd10 Oa5 Bb1 We10", "b", "d10e10", "B+1"},
    {"official", "Oe3 Oe4 Oe5 Xh9 Be1 Wb10", "w", "e3xe1", "W+1"},
    {"official", "Oe4 Oe5 Oe6 Xh9 Xe2 Be1 Wb10", "w", "e4xe1", "W+1"},
    // One's own town may be left to be taken, and the enemy's need not be taken.
    {"official", "Xe9 Oa5 Of2 Be1 We10", "b", "e9d10", ""},
    // No soldier is left, or none can move: a lost game.
    {"official", "Xe4 Oe5 Be1 Wb10", "b", "e4e5", "B+1"},
    {"official", "Xe8 Oa1 Be1 Wb10", "b", "e8e9", "B+1"},
    // 1000 plies: a draw, unless won by then.
    {"official", "Xe4 Oa9 Be1 Wb10", "w 999", "a9a8", "draw"},
    {"official", "Xe4 Oa9 Be1 Wb10", "b 998", "e4e5", ""},
    {"official", "Xh9 Oe2 Be1 Wb10", "w 999", "e2e1", "W+1"},
    {"official", "Xa10 Oe5 Be1 Wj10", "w 999", "e5e4", "W+1"},
    // The authors' program: no way of leaving one's town to be taken is legal.
    {"paper", "Xg2 Of3 Be1 Wb10", "w", "f3f2", ""},
    {"paper", "Xe4 Xg2 Of2 Be1 Wb10", "b", "e4e5", "illegal"},
    {"paper", "Xe4 Xg2 Of2 Be1 Wb10", "b", "g2f2", "B+1"},
    {"paper", "Oe4 Oe5 Oe6 Xh9 Xe3 Be1 Wb10", "b", "e3d4", "illegal"},
    {"paper", "Oe4 Oe5 Oe6 Xh9 Xe3 Be1 Wb10", "b", "e3xe4", ""},
    // Mate: no move keeps the town.
    {"paper", "Xh9 Og3 Og2 Og4 Oc3 Be1 Wb10", "w", "c3d2", "W+1"},
    {"paper", "Xe4 Oa9 Be1 Wb10", "w 999", "a9a8", "draw"},
};

TEST_CASE("Cannon::play()") {
  for (const Play& row : plays) {
    CAPTURE(row.pieces);
    CAPTURE(row.move);
    const auto game =
        game_at("cannon rules=" + std::string(row.rules), line_of(row.pieces, row.rest));
    REQUIRE(outcome(*game).empty());
    if (row.outcome == "illegal") {
      CHECK_THROWS_AS(game->play(row.move), BadGame);
    } else {
      game->play(row.move);
      CHECK(outcome(*game) == row.outcome);
    }
  }
  const auto shot = game_at("cannon", line_of(plays[1].pieces, plays[1].rest));
  shot->play("h4h6");
  CHECK(shot->position() == line_of("Xh2 Xh3 Xh4 Oa9 Bb1 Wb10", "w"));
}

TEST_CASE("Cannon::with()") {
  const std::string start = split(game_of("cannon")->position())[0];
  const auto placed = game_of("cannon");
  play_all(*placed, "e1 e10");
  const std::string with_towns = split(placed->position())[0];
  for (const std::string& impossible :
       {start + " w", start + " b 2", with_towns + " w", with_towns + " w 3",
        line_of("Xe4 Oa9 Be1", "b"), line_of("Xe4 Oa9 We10", "w"), line_of("Xe4 Oa9", "b"),
        line_of("Xe4 Oa9 Ba1 We10", "b"), line_of("Xe4 Oa9 Be2 We10", "b"),
        line_of("Xe4 Oa9 Be1 Bf1 We10", "b"), line_of("Xe4 Oa9 Be10 We1", "b"),
        line_of("Xe4 Be1 We10", "b"), line_of("Xe4 Oa9 Be1 We10", "b 3"),
        line_of("Xe4 Oa9 Be1 We10", "b 1"), line_of("Xe4 Oa9 Be1 We10", "w 1001"),
        line_of("Xe4 Oa9 Be1 We10", "b 4x"),
        line_of("Xb1 Xc1 Xd1 Xb2 Xc2 Xd2 Xb3 Xc3 Xd3 Xb4 Xc4 Xd4 Xb5 Xc5 Xd5 Xb6 Oa9 Be1 We10",
                "b")}) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("cannon")->set_position(impossible), BadGame);
  }
  // The last move took the town.
  CHECK(outcome(*game_at("cannon", line_of("Xe10 Oa9 Be1", "w"))) == "B+1");
  CHECK(outcome(*game_at("cannon", line_of("Xe4 Oe1 Wb10", "b"))) == "W+1");
  for (const std::string& impossible :
       {line_of("Xe10 Oa9 Be1", "w"), line_of("Xe9 Oa9 Be1 We10", "b")}) {
    CHECK_THROWS_AS(game_of("cannon rules=paper")->set_position(impossible), BadGame);
  }
  CHECK(outcome(*game_at("cannon rules=paper", line_of("Xe4 Oa9 Ba1 Wk10", "b"))).empty());
  CHECK_THROWS_AS(static_cast<void>(game_of("cannon rules=ludii")), BadGame);
}

/// How often the informed policy draws each move.
std::map<std::string, int> informed(std::string_view rules, std::string_view pieces, int draws) {
  const auto game = game_at("cannon rules=" + std::string(rules), line_of(pieces, "b"));
  const auto& position = battery::inside<Cannon>(*game);
  std::map<std::string, int> drawn;
  Random random(1);
  for (int i = 0; i < draws; ++i) ++drawn[position.text(position.informed_move(random))];
  return drawn;
}

TEST_CASE("Cannon::informed_move()") {
  // A town is taken.
  CHECK(informed("official", "Xe9 Od9 Oe2 Be1 We10", 100) ==
        std::map<std::string, int>{{"e9e10", 100}});
  // Threats come first: steps beside the town; not the capture, which is one too.
  const auto threats = informed("paper", "Xe8 Xa4 Ob5 Of9 Be1 We10", 1000);
  CHECK(threats.size() == 2);
  CHECK(threats.contains("e8d9"));
  CHECK(threats.contains("e8e9"));
  // Then shots, four times as often as captures.
  const auto captures = informed("official", "Xh2 Xh3 Xh4 Oh6 Xa4 Ob5 Be1 We10", 1000);
  CHECK(captures.size() == 2);
  CHECK(captures.at("h4xh6") > 740);
  CHECK(captures.at("a4b5") > 140);
  // Then anything.
  CHECK(informed("official", "Xe4 Oa9 Be1 We10", 1000).size() == 3);
  // But the town is kept: the only way is the capture, no matter what else there is.
  for (const char* rules : {"official", "paper"}) {
    CHECK(informed(rules, "Xe8 Xa4 Ob5 Xg2 Of2 Be1 We10", 100) ==
          std::map<std::string, int>{{"g2f2", 100}});
  }
  // It cannot be kept: anything.
  CHECK(informed("official", "Xb7 Of2 Be1 We10", 1000).size() == 3);
}

/// A position with towns and soldiers at random, most of them near white's town.
std::string crowded_line(Random& random) {
  std::vector<std::string> rows(10, "..........");  // white's first
  rows[0][1 + random.below(8)] = 'W';
  rows[9][1 + random.below(8)] = 'B';
  for (const char soldier : {'X', 'O'}) {
    for (int i = 0; i < 15; ++i) {
      char& point = rows[random.below(i % 3 == 0 ? 10 : 6)][random.below(10)];
      if (point == '.') point = soldier;
    }
  }
  std::string line;
  for (const auto& row : rows) line += (line.empty() ? "" : "/") + row;
  return line;
}

TEST_CASE("Cannon: a town is in danger exactly if the other side has a move that takes it") {
  Random random(5);
  std::map<std::string, int> seen;
  for (int i = 0; i < 10000; ++i) {
    const std::string line = crowded_line(random);
    CAPTURE(line);
    const auto game = game_at("cannon", line + " b");
    const Picture board(*game);
    bool takes = false;
    for (const std::string& move : game->legal_moves()) {
      const auto points = points_of(move);
      const Place to = place_of(points.back()).value();
      if (board.at(to.x, to.y) != 'W') continue;
      takes = true;
      const Place from = place_of(points.front()).value();
      const int dx = from.x - to.x;
      const int dy = from.y - to.y;
      const int distance = std::max(std::abs(dx), std::abs(dy));
      const bool is_over =
          distance == 3 && board.at(to.x + dx / distance, to.y + dy / distance) != '.';
      ++seen["from " + std::to_string(distance) + (is_over ? " over a piece" : "")];
    }
    Cannon::Features features{};
    battery::inside<Cannon>(*game).features(features);
    CHECK(features[2] == (takes ? 1 : 0));
    // The same for white, seen from the other side.
    std::string turned(line.rbegin(), line.rend());
    for (char& c : turned) {
      if (const auto at = std::string_view("XOBW").find(c); at != std::string_view::npos) {
        c = "OXWB"[at];
      }
    }
    battery::inside<Cannon>(*game_at("cannon", turned + " w")).features(features);
    CHECK(features[5] == (takes ? 1 : 0));
  }
  for (const char* way : {"from 1", "from 2", "from 3", "from 3 over a piece"}) {
    CAPTURE(std::string(way));
    CHECK(seen[way] > 20);
  }
}

TEST_CASE("Cannon::quality()") {
  const auto game = game_at("cannon", line_of("Xe9 Xa4 Xb4 Oa9 Bb1 We10", "b"));
  game->play("e9e10");
  CHECK(battery::inside<Cannon>(*game).quality() == doctest::Approx(2 / 15.0));
}

TEST_CASE("Cannon::static_value()") {
  const auto value = [](std::string_view pieces, std::string_view rest) {
    return *game_at("cannon", line_of(pieces, rest))->static_value();
  };
  const auto logistic = [](double lead) { return doctest::Approx(1 / (1 + std::exp(-lead))); };
  CHECK(*game_of("cannon")->static_value() == logistic(0.12));
  CHECK(value("Xe4 Xf4 Oa9 Be1 We10", "b") == logistic(0.36 + 0.12));
  CHECK(value("Xe4 Xf4 Oa9 Be1 We10", "w") == logistic(0.36 - 0.12));
  // Three and one king's steps from the town; the second could take it.
  CHECK(value("Xh7 Oa9 Be1 We10", "w") == logistic(2 * 0.39 - 0.12));
  CHECK(value("Xf9 Oa9 Be1 We10", "w") == logistic(4 * 0.39 + 2.3 - 0.12));
  CHECK(value("Xf9 Oa9 Be1 We10", "b") == logistic(4 * 0.39 + 2.3 + 5.5 + 0.12));
}

}  // namespace
}  // namespace pitboss::games
