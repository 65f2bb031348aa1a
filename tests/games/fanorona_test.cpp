#include "games/fanorona.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "games/random.hpp"
#include "tests/games/naive.hpp"
#include "tests/games/random_play.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

using Point = std::pair<int, int>;

Point moved(Point p, Point d, int n) { return {p.first + n * d.first, p.second + n * d.second}; }

/// The rules once more, on a map from all points to letters ('.' empty).
class SlowFanorona {
 public:
  SlowFanorona() {
    const std::array<std::string, 5> rows{"bbbbbbbbb", "bbbbbbbbb", "wbwb.wbwb", "wwwwwwwww",
                                          "wwwwwwwww"};
    for (int y = 0; y < 5; ++y) {
      for (int x = 0; x < 9; ++x) board_[{x, y}] = rows[y][x];
    }
  }

  [[nodiscard]] char to_move() const { return mover_; }

  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (const auto& [from, letter] : board_) {
      if (letter == mover_ && (chain_.empty() || chain_.back() == from)) captures(from, moves);
    }
    if (!chain_.empty()) moves.emplace_back("pass");
    if (!moves.empty()) return moves;
    for (const auto& [from, letter] : board_) {
      if (letter != mover_) continue;
      for (const Point& to : neighbours(from)) {
        if (at(to) == '.') moves.push_back(text(from) + text(to));
      }
    }
    return moves;
  }

  void play(const std::string& move) {
    ++plies_;
    if (move == "pass") return end_turn();
    const Point from = point(move.substr(0, 2));
    const Point to = point(move.substr(2, 2));
    board_[to] = mover_;
    board_[from] = '.';
    if (move.size() == 4) return end_turn();
    const Point d{to.first - from.first, to.second - from.second};
    for (const Point& victim : move.back() == 'a' ? row(to, d, 1) : row(from, d, -1)) {
      board_[victim] = '.';
    }
    if (chain_.empty()) chain_.push_back(from);
    chain_.push_back(to);
    std::vector<std::string> more;
    captures(to, more);
    if (more.empty()) {
      end_turn();
    } else {
      longest_ = std::max(longest_, static_cast<int>(chain_.size()));
    }
  }

  [[nodiscard]] std::string winners() const {
    if (legal_moves().empty()) return {enemy()};
    return plies_ >= 1000 ? "bw" : "";
  }
  /// Points of the longest chain that went on.
  [[nodiscard]] int longest() const { return longest_; }

 private:
  static std::string text(Point p) { return point_text(p.first, p.second); }
  static Point point(std::string_view text) {
    const auto place = place_of(text);
    return {place->x, place->y};
  }
  [[nodiscard]] char enemy() const { return mover_ == 'b' ? 'w' : 'b'; }
  [[nodiscard]] char at(Point p) const {
    const auto found = board_.find(p);
    return found == board_.end() ? '#' : found->second;
  }
  [[nodiscard]] static std::vector<Point> neighbours(Point p) {
    std::vector<Point> points{moved(p, {1, 0}, 1), moved(p, {1, 0}, -1), moved(p, {0, 1}, 1),
                              moved(p, {0, 1}, -1)};
    if ((p.first + p.second) % 2 == 0) {
      for (const int sign : {1, -1}) {
        points.push_back(moved(p, {1, 1}, sign));
        points.push_back(moved(p, {1, -1}, sign));
      }
    }
    return points;
  }
  /// The unbroken row of enemy men next to `p` that way.
  [[nodiscard]] std::vector<Point> row(Point p, Point d, int sign) const {
    std::vector<Point> men;
    for (int n = sign; at(moved(p, d, n)) == enemy(); n += sign) men.push_back(moved(p, d, n));
    return men;
  }
  void captures(Point from, std::vector<std::string>& moves) const {
    for (const Point& to : neighbours(from)) {
      if (at(to) != '.') continue;
      if (std::ranges::find(chain_, to) != chain_.end()) continue;
      const Point d{to.first - from.first, to.second - from.second};
      if (!row(to, d, 1).empty()) moves.push_back(text(from) + text(to) + "a");
      if (!row(from, d, -1).empty()) moves.push_back(text(from) + text(to) + "w");
    }
  }
  void end_turn() {
    chain_.clear();
    mover_ = enemy();
  }

  std::map<Point, char> board_;
  std::vector<Point> chain_;  ///< where the man has been, and is
  char mover_ = 'b';
  int plies_ = 0;
  int longest_ = 0;
};

TEST_CASE("Fanorona against a slow reference") {
  int passes = 0;
  int both = 0;
  int quiet = 0;
  int long_chains = 0;
  compare_with("fanorona", 60, SlowFanorona(), [&](const AnyGame& game) {
    const auto moves = game.stepped_moves();
    if (moves.empty()) return;
    const auto has = [&](auto&& is) { return std::ranges::any_of(moves, is); };
    passes += has([](const SteppedMove& m) { return m.move == "pass"; }) ? 1 : 0;
    both += has([](const SteppedMove& m) { return m.steps.size() == 3; }) ? 1 : 0;
    quiet += has([](const SteppedMove& m) { return m.move.size() == 4 && m.move != "pass"; });
    long_chains += std::ranges::count(game.position(), ',') >= 3 ? 1 : 0;
  });
  CHECK(passes > 100);
  CHECK(both > 20);
  CHECK(quiet > 100);
  CHECK(long_chains > 5);
}

TEST_CASE("Fanorona::create()") {
  const auto game = game_of("fanorona");
  CHECK(game->position() == "OOOOOOOOO/OOOOOOOOO/OXOX.OXOX/XXXXXXXXX/XXXXXXXXX b");
  CHECK(moves_of(*game) == "d2e3a d3e3a d3e3w e2e3a f2e3a");
  CHECK_THROWS_AS(static_cast<void>(game_of("fanorona size=5")), BadGame);
}

struct Row {
  std::string_view position;
  std::string_view moves;  ///< legal ones
  std::string_view move;   ///< one of them, and what it leads to
  std::string_view after;
};

const std::vector<Row> rows = {
    // Without a capture: along lines to empty points, diagonally from points of even coordinates.
    {"......O../........./........./........./X........ b", "a1a2 a1b1 a1b2", "a1b2",
     "......O../........./........./.X......./......... w 1"},
    {"......O../........./...O...../........./.X....... b", "b1a1 b1b2 b1c1", "b1c1",
     "......O../........./...O...../........./..X...... w 1"},
    // Approach takes the row beyond, as far as it is unbroken. A capture is compulsory.
    {"........./O......../........./........./X.OO.O..X b", "a1b1a", "a1b1a",
     "........./O......../........./........./.X...O..X w 1"},
    {"O...O..../...O...../..O....../........./X........ b", "a1b2a", "a1b2a",
     "O......../........./........./.X......./......... w 1"},
    // Withdrawal takes the row behind.
    {"O......../........./........./........./.OOX....X b", "d1e1w", "d1e1w",
     "O......../........./........./........./....X...X w 1"},
    // Both are possible: a move each. The man may not go back to where it was, so that is all.
    {"O......../........./........./........./.OX.O.... b", "c1d1a c1d1w", "c1d1w",
     "O......../........./........./........./...XO.... w 1"},
    // A chain: the same side is to move, only that man, and only to capture or to pass.
    {"........O/........./.O......./........./X.O.....X b", "a1b1a", "a1b1a",
     "........O/........./.O......./........./.X......X b 1:b1,a1"},
    {"........O/........./.O......./........./.X......X b 1:b1,a1", "b1b2a pass", "b1b2a",
     "........O/........./........./.X......./........X w 2"},
    {"........O/........./.O......./........./.X......X b 1:b1,a1", "b1b2a pass", "pass",
     "........O/........./.O......./........./.X......X w 2"},
    // Two steps in the same direction are allowed.
    {"O......../........./........./........./OX..O.... b", "b1c1w", "b1c1w",
     "O......../........./........./........./..X.O.... b 1:c1,b1"},
    {"O......../........./........./........./..X.O.... b 1:c1,b1", "c1d1a pass", "c1d1a",
     "O......../........./........./........./...X..... w 2"},
};

TEST_CASE("Fanorona::play()") {
  for (const Row& row : rows) {
    CAPTURE(row.position);
    const auto game = game_at("fanorona", row.position);
    CHECK(moves_of(*game) == row.moves);
    game->play(row.move);
    CHECK(game->position() == row.after);
    CHECK(outcome(*game).empty());
  }
}

TEST_CASE("Fanorona::result()") {
  // Without a man.
  auto game = game_at("fanorona", "........./........./........./........./X.O.....X b");
  game->play("a1b1a");
  CHECK(outcome(*game) == "B+2");
  CHECK(game->position() == "........./........./........./........./.X......X w 1");
  // Without a legal move: a1 is shut in.
  game = game_at("fanorona", "........./........./XX......./X......../OXX...... b");
  game->play("b3b2");
  CHECK(outcome(*game) == "B+5");
  // After 1000 plies, also within a chain; a win by the last ply stands.
  game = game_at("fanorona", "........O/........./.O......./........./X.O.....X b 999");
  game->play("a1b1a");
  CHECK(outcome(*game) == "draw");
  CHECK(split(game->position()).back() == "1000:b1,a1");
  game = game_at("fanorona", "........./........./........./........./X.O.....X b 999");
  game->play("a1b1a");
  CHECK(outcome(*game) == "B+2");
}

// A man that captures on either side of its step is told apart by its victim.
TEST_CASE("Fanorona::steps()") {
  const auto game = game_at("fanorona", "O......../........./........./........./.OX.O.... b");
  std::set<std::string> seen;
  for (const SteppedMove& move : game->stepped_moves()) {
    seen.insert(move.move + ": " + joined(move.steps));
  }
  CHECK(seen == std::set<std::string>{"c1d1a: c1 d1 e1", "c1d1w: c1 d1 b1"});
}

TEST_CASE("Fanorona::with()") {
  const std::string chain = "........O/........./.O......./........./.X......X b ";
  for (const std::string& bad : {
           std::string("XXXXXXXXX/XXXXXXXXX/XXXXX..../........./O........ b"),  // 23 men
           std::string("........./........./........./........./X........ b"),  // white has none
           std::string("........./........./........./........./......... b"),
           chain + "1001",  // beyond the last ply
           chain + "x",
           chain + "1:",
           chain + "1:b1",  // it has been nowhere
           chain + "1:b1,a1,",
           chain + "3:b1,a1,a1",  // twice on one point
           chain + "1:b1,i1",
           chain + "1:b1,a9",
           chain + "1:k1,a1",
           chain + "1:j5,a1",     // white's man
           chain + "1:b1,b3",     // where white's man is
           chain + "1:b1,d1",     // not beside it
           chain + "1:j1,h1",     // cannot capture
           chain + "1:b1,b2",     // not any more
           chain + "1:b1,a1,a2",  // more steps than plies
           chain + ":b1,a1",
       }) {
    CAPTURE(bad);
    CHECK_THROWS_AS(game_of("fanorona")->set_position(bad), BadGame);
  }
}

/// Men, and steps along lines to empty points, as the position line shows them.
double value_of(const AnyGame& game) {
  const Picture board(game);
  double men = 0;
  double steps = 0;
  board.for_each([&](int x, int y) {
    if (board.at(x, y) == '.') return;
    const int sign = board.at(x, y) == 'X' ? 1 : -1;
    men += sign;
    for (const int dx : {-1, 0, 1}) {
      for (const int dy : {-1, 0, 1}) {
        const bool is_line = dx == 0 || dy == 0 || (x + y) % 2 == 0;
        if (is_line && board.at(x + dx, y + dy) == '.') steps += sign;
      }
    }
  });
  const double tempo = board.mover() == 'X' ? 1 : -1;
  return 1 / (1 + std::exp(-(0.35 * men + 0.02 * steps + 0.2 * tempo)));
}

TEST_CASE("Fanorona::static_value()") {
  Random random(3);
  for (int games = 0; games < 10; ++games) {
    for (const auto game = game_of("fanorona"); !game->result().finished();) {
      CAPTURE(game->position());
      CHECK(*game->static_value() == doctest::Approx(value_of(*game)).epsilon(1e-12));
      const bool in_chain = game->position().find(':') != std::string::npos;
      if (!in_chain) {
        CHECK(*game_at("fanorona", turned(*game))->static_value() ==
              doctest::Approx(1 - *game->static_value()));
      }
      game->play(game->random_move(random));
    }
  }
}

// Ludii 1.0.8, 345 games: 57.18 plies (25.5), black wins 51.3 %, 6.60 moves a ply.
TEST_CASE("Fanorona: random games") {
  const RandomPlay play = play_games(Fanorona::create({}), 3000);
  CHECK(std::abs(play.plies - 57.18) < 4 * 25.5 * std::sqrt(1.0 / 345 + 1.0 / 3000));
  CHECK(std::abs(play.black - 0.513) < 4 * 0.5 * std::sqrt(1.0 / 345 + 1.0 / 3000));
  CHECK(play.black + play.white > 0.999);
  // The mean number of moves in a game has a standard deviation of 1.85.
  CHECK(std::abs(play.moves - 6.60) < 4 * 1.85 * std::sqrt(1.0 / 345 + 1.0 / 3000));
}

}  // namespace
}  // namespace pitboss::games
