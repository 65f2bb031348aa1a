#include "games/chinesecheckers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "games/board_text.hpp"
#include "games/random.hpp"
#include "tests/games/naive.hpp"
#include "tests/games/random_play.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

using Point = std::pair<int, int>;
constexpr std::array<Point, 6> directions{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}}};

Point moved(Point p, Point d, int n) { return {p.first + n * d.first, p.second + n * d.second}; }
std::string named(Point p) { return point_text(p.first, p.second); }

/// The points of a star of three coordinates.
std::set<Point> star(int arm) {
  std::set<Point> points;
  const int centre = 2 * arm;
  for (int x = 0; x <= 4 * arm; ++x) {
    for (int y = 0; y <= 4 * arm; ++y) {
      const auto [low, high] = std::minmax({x - centre, centre - y, y - x});
      if (high <= arm || low >= -arm) points.insert({x, y});
    }
  }
  return points;
}

/// The rules once more: a map from points to letters, chains by recursion.
class SlowStar {
 public:
  explicit SlowStar(int arm) : arm_(arm), points_(star(arm)) {
    for (const Point& p : points_) {
      if (p.second < arm) men_[p] = 'b';
      if (p.second > 3 * arm) men_[p] = 'w';
    }
  }

  [[nodiscard]] char to_move() const { return mover_; }

  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (const auto& [from, colour] : men_) {
      if (colour != mover_) continue;
      std::set<Point> targets;
      for (const Point& d : directions) {
        const Point to = moved(from, d, 1);
        if (may_stand(from, to)) targets.insert(to);
      }
      std::set<Point> landings{from};
      hop(from, from, landings);
      landings.erase(from);
      targets.insert(landings.begin(), landings.end());
      for (const Point& to : targets) moves.push_back(named(from) + named(to));
    }
    return moves;
  }

  void play(const std::string& move) {
    for (const Point& from : points_) {
      const bool is_origin = men_.contains(from) && move.starts_with(named(from));
      if (!is_origin) continue;
      for (const Point& to : points_) {
        if (move != named(from) + named(to)) continue;
        men_[to] = men_[from];
        men_.erase(from);
        mover_ = mover_ == 'b' ? 'w' : 'b';
        ++plies_;
        return;
      }
    }
    FAIL("no such move");
  }

  [[nodiscard]] std::string winners() const {
    const char last = mover_ == 'b' ? 'w' : 'b';
    bool full = true;
    bool own = false;
    for (const Point& p : points_) {
      if (!is_goal(p, last)) continue;
      full = full && men_.contains(p);
      own = own || (men_.contains(p) && men_.at(p) == last);
    }
    if ((full && own) || legal_moves().empty()) return {last};
    return plies_ >= 1000 ? "bw" : "";
  }

  [[nodiscard]] const std::map<Point, char>& men() const { return men_; }
  [[nodiscard]] bool is_goal(Point p, char colour) const {
    return colour == 'b' ? p.second > 3 * arm_ : p.second < arm_;
  }

 private:
  /// Whether the man that began its turn on `origin` may be on `p`.
  [[nodiscard]] bool may_stand(Point origin, Point p) const {
    if (!points_.contains(p) || (men_.contains(p) && p != origin)) return false;
    return !is_goal(origin, mover_) || is_goal(p, mover_);
  }
  void hop(Point origin, Point p, std::set<Point>& landings) const {
    for (const Point& d : directions) {
      const Point over = moved(p, d, 1);
      const Point to = moved(p, d, 2);
      if (over == origin || !men_.contains(over) || !may_stand(origin, to)) continue;
      if (landings.insert(to).second) hop(origin, to, landings);
    }
  }

  int arm_;
  std::set<Point> points_;
  std::map<Point, char> men_;
  char mover_ = 'b';
  int plies_ = 0;
};

TEST_CASE("ChineseCheckers against a slow reference") {
  int wins = 0;
  compare_with("chinesecheckers", 25, SlowStar(3), [&](const AnyGame& game) {
    if (game.result().finished() && !game.result().shared()) ++wins;
  });
  CHECK(wins > 3);  // most are drawn
  compare_with("chinesecheckers board=full", 2, SlowStar(4));
}

/// A position line of the small board with men on these points.
std::string position(std::string_view black, std::string_view white, std::string_view rest) {
  const std::set<Point> points = star(3);
  std::map<std::string, char> men;
  for (const auto& p : split(black)) men[p] = 'X';
  for (const auto& p : split(white)) men[p] = 'O';
  std::string rows;
  for (int y = 12; y >= 0; --y) {
    for (int x = 0; x < 13; ++x) {
      const auto man = men.find(point_text(x, y));
      rows += !points.contains({x, y}) ? '?' : man == men.end() ? '.' : man->second;
    }
    if (y > 0) rows += '/';
  }
  return rows + " " + std::string(rest);
}

std::unique_ptr<AnyGame> game_with(std::string_view black, std::string_view white,
                                   std::string_view rest) {
  return game_at("chinesecheckers", position(black, white, rest));
}

constexpr std::string_view black_home = "d1 d2 e2 d3 e3 f3";
constexpr std::string_view white_home = "h11 j11 k11 j12 k12 k13";

std::string targets(const AnyGame& game, std::string_view from) {
  std::vector<std::string> points;
  for (const std::string& move : game.legal_moves()) {
    if (points_of(move)[0] == from) points.push_back(points_of(move)[1]);
  }
  return joined(points);
}

TEST_CASE("ChineseCheckers::create()") {
  const auto small = game_of("chinesecheckers");
  CHECK(small->position() == position(black_home, white_home, "b"));
  CHECK(targets(*small, "d3") == "d4 e4");
  CHECK(targets(*small, "e2") == "e4 g4");
  const auto full = game_of("chinesecheckers board=full");
  CHECK(full->shape().height == 17);
  CHECK(moves_of(*full).starts_with("e3e5 e3g5 e4e5 e4f5"));
  CHECK_THROWS_AS(static_cast<void>(game_of("chinesecheckers board=large")), BadGame);
}

struct Row {
  std::string_view black;
  std::string_view white;
  std::string_view from;
  std::string_view targets;
};

const std::vector<Row> rows = {
    // Steps, and a chain over men of either colour that turns on its way; none ends with a step.
    {"e6 d1 d2 e2 d3 e3", "f6 g7 k13 j12 k12 h11", "e6", "d5 d6 e5 e7 f7 g6 g8"},
    // Only over a man beside it, to the empty point right behind it.
    {"e6 d1 d2 e2 d3 e3", "f6 g6 e8 c4 k12 h11", "e6", "d5 d6 e5 e7 f7"},
    // Round a ring of men and back: the own point is no target.
    {"e6 d1 d2 e2 d3 e3", "f6 f7 g7 k13 j12 k12", "e6", "d5 d6 e5 e7 g6 g8"},
    // A chain into a side triangle.
    {"c6 d1 d2 e2 d3 e3", "b5 k13 j12 k12 h11 j11", "c6", "a4 c5 d6 d7"},
    // A man in its goal stays there, also during a chain: k11 would be reached by way of h9.
    {"h11 d1 d2 e2 d3 e3", "h10 j10 a4 b4 k12 k13", "h11", "j11 j12"},
    {"h11 d1 d2 e2 d3 e3", "j11 a4 b4 c4 d4 e4", "h11", "j12 k11"},
    // One that comes from outside may cross it.
    {"h9 d1 d2 e2 d3 e3", "j10 k10 a4 b4 c4 d4", "h9", "g8 g9 h10 h8 j9 k11 k9"},
    // Its own home is open to it.
    {"e4 d1 d2 e2 a4 b4", "j10 k10 j4 k4 h4 k11", "e4", "d3 d4 e3 e5 f4 f5"},
};

TEST_CASE("ChineseCheckers::legal_moves()") {
  for (const Row& row : rows) {
    CAPTURE(row.black);
    CAPTURE(row.white);
    const auto game = game_with(row.black, row.white, "b");
    CHECK(targets(*game, row.from) == row.targets);
  }
}

TEST_CASE("ChineseCheckers::result()") {
  // The last man comes in; the enemy's may be among those that fill the goal.
  auto game = game_with("h10 j11 k11 j12 k12 k13", "d1 d2 e2 a4 b4 j4", "b");
  game->play("h10h11");
  CHECK(outcome(*game) == "B+1");
  game = game_with("h10 d1 d2 e2 d3 e3", "j11 k11 j12 k12 k13 a4", "b 100");
  game->play("h10h11");
  CHECK(outcome(*game) == "B+1");
  // A goal full of the enemy's men alone is no win: at the start both are.
  game = game_of("chinesecheckers");
  game->play("d3d4");
  CHECK(outcome(*game).empty());
  // The enemy's ply gives no win; the own next one does, wherever it goes.
  game = game_with("j11 k11 j12 k12 k13 c5", "h10 a4 b4 g4 h4 j4", "w");
  game->play("h10h11");
  CHECK(outcome(*game).empty());
  game->play("c5c6");
  CHECK(outcome(*game) == "B+1");
  // White's men cannot leave the goal, and the last one is shut in.
  game = game_with("h10 a4 d2 e2 d3 f3", "j11 k11 j12 k12 k13 d1", "b");
  CHECK(outcome(*game).empty());
}

TEST_CASE("ChineseCheckers: a side without a legal move has lost") {
  auto game = game_with("j11 k11 j12 k12 k13 d1", "h10 a4 d2 e2 d3 f3", "w");
  game->play("h10h11");
  CHECK(moves_of(*game).empty());
  CHECK(outcome(*game) == "W+1");
}

TEST_CASE("ChineseCheckers: the game is drawn after 1000 plies") {
  auto game = game_with(black_home, white_home, "b 998");
  game->play("d3d4");
  CHECK(outcome(*game).empty());
  CHECK(split(game->position()).back() == "999");
  game->play("h11g10");
  CHECK(outcome(*game) == "draw");
  // A win by the last ply stands.
  game = game_with("k13 k12 j12 n10 m10 e10", "f4 e3 d3 e2 d2 d1", "w 999");
  game->play("f4f3");
  CHECK(outcome(*game) == "W+1");
}

TEST_CASE("ChineseCheckers::with()") {
  for (const auto& [black, white, rest] : std::vector<std::array<std::string_view, 3>>{
           {"d1 d2 e2 d3 e3", white_home, "b"},              // five men
           {black_home, "h11 j11 k11 j12 k12 k13 a4", "b"},  // seven
           {black_home, white_home, "b 1001"},               // beyond the last ply
           {black_home, white_home, "b -1"},
           {black_home, white_home, "b 7"},  // white's turn
           {black_home, white_home, "b x"},
           {black_home, white_home, "b 1x"},
           {black_home, "h11 j11 k11 j12 k12", "w"},
       }) {
    CAPTURE(black);
    CAPTURE(rest);
    const std::string line = position(black, white, rest);
    CHECK_THROWS_AS(game_of("chinesecheckers")->set_position(line), BadGame);
  }
  // The number of plies is a part of the position.
  CHECK(game_with(black_home, white_home, "b 2")->position() !=
        game_with(black_home, white_home, "b")->position());
}

// Steps to the goal's tip, counted by walking; colours and sides changed, the value is mirrored.
TEST_CASE("ChineseCheckers::static_value()") {
  const auto walk = [](Point from, Point tip) {
    const std::set<Point> points = star(3);
    std::map<Point, int> steps{{from, 0}};
    std::vector<Point> todo{from};
    for (std::size_t i = 0; i < todo.size(); ++i) {
      for (const Point& d : directions) {
        const Point next = moved(todo[i], d, 1);
        if (points.contains(next) && steps.try_emplace(next, steps[todo[i]] + 1).second) {
          todo.push_back(next);
        }
      }
    }
    return steps.at(tip);
  };
  const auto value_of = [&](const SlowStar& board) {
    // A full goal has one man on its tip, two beside it, three behind those.
    double black = -8;
    double white = -8;
    for (const auto& [p, colour] : board.men()) {
      (colour == 'b' ? black : white) += walk(p, colour == 'b' ? Point{9, 12} : Point{3, 0});
    }
    (board.to_move() == 'b' ? black : white) -= 0.5;
    return white * white / (black * black + white * white);
  };
  SlowStar reference(3);
  const auto game = game_of("chinesecheckers");
  Random random(5);
  for (int ply = 0; ply < 60; ++ply) {
    CHECK(*game->static_value() == doctest::Approx(value_of(reference)).epsilon(1e-12));
    CHECK(*game_at("chinesecheckers", turned(*game))->static_value() ==
          doctest::Approx(1 - *game->static_value()));
    const std::string move = game->random_move(random);
    game->play(move);
    reference.play(move);
  }
}

ChineseCheckers game_value(std::string_view board) {
  Parameters parameters;
  parameters.set("board", board);
  return ChineseCheckers::create(parameters);
}

/// How often each of the moves from the points `from` is drawn, among these.
std::map<std::string, double> shares(const ChineseCheckers& game, std::string_view from) {
  std::map<std::string, double> counts;
  double sum = 0;
  Random random(1);
  for (int i = 0; i < 24000; ++i) {
    const std::string move = game.text(game.informed_move(random));
    if (!move.starts_with(from)) continue;
    ++counts[move];
    ++sum;
  }
  for (auto& [move, count] : counts) count /= sum;
  return counts;
}

void check_shares(const std::map<std::string, double>& drawn,
                  const std::map<std::string, double>& expected) {
  CHECK(drawn.size() == expected.size());
  for (const auto& [move, share] : expected) {
    CAPTURE(move);
    const auto found = drawn.find(move);
    REQUIRE(found != drawn.end());
    CHECK(found->second == doctest::Approx(share).epsilon(0.1));
  }
}

TEST_CASE("ChineseCheckers::informed_move()") {
  // A man each with 1/6, but for d1, which cannot move: d2 takes its part. One hop is worth two
  // steps, but no man has both.
  const ChineseCheckers initial = game_value("small");
  const double twelfth = 1.0 / 12;
  check_shares(shares(initial, ""), {{"d2d4", 2 * twelfth},
                                     {"d2f4", 2 * twelfth},
                                     {"e2e4", twelfth},
                                     {"e2g4", twelfth},
                                     {"d3d4", twelfth},
                                     {"d3e4", twelfth},
                                     {"e3e4", twelfth},
                                     {"e3f4", twelfth},
                                     {"f3f4", twelfth},
                                     {"f3g4", twelfth}});
  // Who can enter the goal does, the more gladly the more hops that takes; not so h10k10 and steps
  // outside.
  const auto at = [&](std::string_view black, std::string_view white) {
    return initial.with(read_position(initial, position(black, white, "b")));
  };
  check_shares(shares(at("h10 d1 d2 e2 d3 e3", "j10 k11 a4 b4 c4 d4"), "h10"),
               {{"h10k12", 0.5}, {"h10h11", 0.25}, {"h10j11", 0.25}});
  // Outside, a step weighs 1 and n hops 1 + n; what leads away is not played.
  check_shares(shares(at("e6 d1 d2 e2 d3 e3", "f7 g9 a4 b4 c4 k5"), "e6"), {{"e6g8", 2.0 / 8},
                                                                            {"e6g10", 3.0 / 8},
                                                                            {"e6e7", 1.0 / 8},
                                                                            {"e6f6", 1.0 / 8},
                                                                            {"e6e5", 1.0 / 8}});
}

// The authors' program (Quality-based Rewards for MCTS; 1000 games): 168.3 plies (37.1), quality
// 0.257 (0.130), black wins 49 %.
TEST_CASE("ChineseCheckers::informed_move(), ChineseCheckers::quality()") {
  constexpr int games = 1000;
  double quality = 0;
  const RandomPlay play = play_games(
      game_value("small"), games,
      [](const ChineseCheckers& game, Random& random) { return game.informed_move(random); },
      [&](const ChineseCheckers& game) { quality += game.quality() / games; });
  CHECK(std::abs(play.plies - 168.3) < 4 * 37.1 * std::sqrt(2.0 / games));
  CHECK(std::abs(quality - 0.257) < 4 * 0.130 * std::sqrt(2.0 / games));
  CHECK(std::abs(play.black - 0.49) < 4 * std::sqrt(0.5 / games));
}

}  // namespace
}  // namespace pitboss::games
