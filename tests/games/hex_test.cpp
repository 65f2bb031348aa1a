#include "games/hex.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "games/boxed_game.hpp"
#include "games/hex_distance.hpp"
#include "tests/games/naive_placing.hpp"

namespace pitboss::games {
namespace {

/// Hex by its rules: black joins row 1 with the last, white column a with the last.
class NaiveHex : public NaivePlacing {
 public:
  NaiveHex(int size, bool swap) : NaivePlacing(swap, rhombus_steps), size_(size) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) add_point(x, y);
    }
  }
  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (const Point& p : holding('.')) moves.push_back(text(p));
    if (may_swap()) moves.emplace_back("swap");
    return moves;
  }
  void play(const std::string& move) { put(move); }
  [[nodiscard]] std::string winners() const { return joins('X') ? "b" : joins('O') ? "w" : ""; }

 private:
  [[nodiscard]] bool joins(char c) const {
    const auto height = [&](Point p) { return c == 'X' ? p.second : p.first; };
    std::set<Point> seen;
    std::vector<Point> todo;
    for (const Point& p : holding(c)) {
      if (height(p) == 0) todo.push_back(p);
    }
    while (!todo.empty()) {
      const Point p = todo.back();
      todo.pop_back();
      if (!seen.insert(p).second) continue;
      if (height(p) == size_ - 1) return true;
      for (const Point& q : neighbours(p)) {
        if (at(q) == c) todo.push_back(q);
      }
    }
    return false;
  }

  int size_;
};

TEST_CASE("Hex against a slow reference") {
  int swaps = 0;
  int black = 0;
  int white = 0;
  const auto count = [&](const AnyGame& game) {
    const Picture board(game);
    swaps += board.mover() == 'X' && std::ranges::count(board.rows(), 'O') == 1 &&
             std::ranges::count(board.rows(), 'X') == 0;
    black += outcome(game) == "B+1";
    white += outcome(game) == "W+1";
  };
  for (const auto& [size, games] :
       std::vector<std::pair<int, int>>{{3, 100}, {4, 50}, {5, 20}, {8, 8}, {11, 4}, {19, 1}}) {
    const std::string line = "hex size=" + std::to_string(size);
    compare_with(line, games, NaiveHex(size, false), count);
    compare_with(line + " swap=on", games, NaiveHex(size, true), count);
  }
  CHECK(swaps > 10);
  CHECK(black > 100);
  CHECK(white > 100);
}

struct Row {
  std::string_view line;
  std::string_view moves;
  std::string_view outcome;
};

const std::vector<Row> rows = {
    // Black from bottom to top, straight up and along the other line of neighbours.
    {"hex size=3", "b1 a1 b2 a2 b3", "B+1"},
    {"hex size=3", "c1 a1 b2 c3 a3", "B+1"},
    // b1 and c2 are no neighbours.
    {"hex size=3", "b1 a1 c2 a2 c3", ""},
    // White from left to right.
    {"hex size=3", "a1 a2 b1 b2 c1 c2", "W+1"},
    {"hex size=3", "a1 a3 b1 b2 c2 c1", "W+1"},
    // Black from left to right, white from bottom to top: worth nothing.
    {"hex size=3", "a2 b3 b2 b1 c2", ""},
    {"hex size=4", "a2 b1 b2 c1 c2 d1 d2", ""},
    // The last stone joins two chains that reach the edges.
    {"hex size=5", "c1 a1 c2 a2 c5 a3 c4 a4 c3", "B+1"},
    // A whole dead chain is joined at once, the other way round too.
    {"hex size=5", "c5 a1 c4 a2 c3 a3 c2 a4 c1", "B+1"},
    // The full 3x3 board.
    {"hex size=3", "a1 b1 c1 b2 a3 c2 c3 b3 a2", "B+1"},
};

TEST_CASE("Hex: who joins the edges wins") {
  for (const Row& row : rows) {
    CAPTURE(row.moves);
    const auto game = game_of(row.line);
    const auto moves = split(row.moves);
    for (const std::string& move : moves) {
      if (game->result().finished()) break;
      game->play(move);
    }
    CHECK(outcome(*game) == row.outcome);
  }
}

/// How many stones `own` needs to join its edges by neighbours and bridges: shortest ways, point by
/// point. An edge is a row of its stones outside the board.
int distance(const Picture& board, char own) {
  const int n = board.width();
  using Point = std::pair<int, int>;
  // Seen so that `own` joins the bottom with the top.
  const auto at = [&](Point p) {
    const auto [x, y] = p;
    if (0 <= x && x <= n && (y == -1 || y == n)) return own;
    return own == 'X' ? board.at(x, y) : board.at(y, x);
  };
  constexpr std::array<Point, 6> round = {{{1, 0}, {0, 1}, {-1, 1}, {-1, 0}, {0, -1}, {1, -1}}};
  const auto moved = [](Point p, Point d) { return Point{p.first + d.first, p.second + d.second}; };
  std::map<Point, int> placed;  // stones on the best way to each point
  for (int x = 0; x <= n; ++x) placed[{x, -1}] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    const auto known = placed;
    for (const auto& [p, stones] : known) {
      const auto reach = [&](Point q) {
        const bool inside = 0 <= q.first && q.first < n && -1 <= q.second && q.second <= n;
        if (!inside || (at(q) != '.' && at(q) != own)) return;
        const int cost = stones + (at(q) == '.' ? 1 : 0);
        if (placed.contains(q) && placed[q] <= cost) return;
        placed[q] = cost;
        changed = true;
      };
      for (int i = 0; i < 6; ++i) {
        const Point a = moved(p, round[i]);
        const Point b = moved(p, round[(i + 1) % 6]);
        reach(a);
        const bool on_board =
            board.on_board(a.first, a.second) && board.on_board(b.first, b.second);
        if (on_board && at(a) == '.' && at(b) == '.') reach(moved(a, round[(i + 1) % 6]));
      }
    }
  }
  int least = hex_unreachable;
  for (int x = 0; x < n; ++x) {
    if (placed.contains({x, n})) least = std::min(least, placed[{x, n}]);
  }
  return least;
}

TEST_CASE("Hex: static value") {
  CHECK(*game_of("hex")->static_value() == doctest::Approx(1 / (1 + std::exp(-.5))));
  for (const auto& [line, games] : std::vector<std::pair<std::string_view, int>>{
           {"hex size=3", 20}, {"hex size=6", 10}, {"hex size=8", 4}, {"hex", 1}}) {
    CAPTURE(line);
    for (int seed = 0; seed < games; ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      for (const auto game = game_of(line); !game->result().finished();
           game->play(game->random_move(random))) {
        CAPTURE(game->position());
        const Picture board(*game);
        const int black = distance(board, 'X');
        const int white = distance(board, 'O');
        std::array<std::uint16_t, 2> features{};
        dynamic_cast<const BoxedGame<Hex>&>(*game).game().features(features);
        CHECK(features[0] == black);
        CHECK(features[1] == white);
        const double lead = white - black + (board.mover() == 'X' ? .5 : -.5);
        CHECK(*game->static_value() == doctest::Approx(1 / (1 + std::exp(-lead))));
      }
    }
  }
}

TEST_CASE("Hex: the side that has lost cannot join its edges") {
  const auto game = game_at("hex size=3", ".XO/.XO/.X. w");
  std::array<std::uint16_t, 2> features{};
  dynamic_cast<const BoxedGame<Hex>&>(*game).game().features(features);
  CHECK(features[0] == 0);
  CHECK(features[1] == hex_unreachable);
}

/// The same game with the colours exchanged: the board is mirrored, so that the edges are.
TEST_CASE("Hex: the static value is the same for both colours") {
  Random random(3);
  const auto game = game_of("hex size=7 swap=on");
  for (int ply = 0; ply < 30 && !game->result().finished(); ++ply) {
    const Picture board(*game);
    if (ply > 1) {
      Picture mirrored = board;
      board.for_each([&](int x, int y) {
        const char c = board.at(x, y);
        mirrored.put(y, x, c == '.' ? '.' : other(c));
      });
      const std::string rest = board.mover() == 'X' ? " w" : " b";
      const auto exchanged = game_at("hex size=7 swap=on", mirrored.rows() + rest);
      CHECK(*exchanged->static_value() == doctest::Approx(1 - *game->static_value()));
    }
    game->play(game->random_move(random));
  }
}

/// The points, as texts, that complete a bridge which the enemy's last stone threatens to cut: next
/// to it, with stones of the side to move, or its edge, on both points next to the two.
std::set<std::string> completions(const Picture& board, int last_x, int last_y) {
  const int n = board.width();
  const auto is_own = [&](int x, int y) {
    if (board.on_board(x, y)) return board.at(x, y) == board.mover();
    return board.mover() == 'X' ? y < 0 || y >= n : x < 0 || x >= n;
  };
  std::set<std::string> points;
  for (const auto& [dx, dy] : rhombus_steps) {
    const int x = last_x + dx;
    const int y = last_y + dy;
    if (!board.on_board(x, y) || board.at(x, y) != '.') continue;
    int own = 0;
    for (const auto& [ex, ey] : rhombus_steps) {
      for (const auto& [fx, fy] : rhombus_steps) {
        const bool is_next_to_both = last_x + ex == x + fx && last_y + ey == y + fy;
        if (is_next_to_both && is_own(x + fx, y + fy)) ++own;
      }
    }
    if (own == 2) points.insert(point_text(x, y));
  }
  return points;
}

TEST_CASE("Hex::informed_move()") {
  int answers = 0;
  int choices = 0;
  for (const auto& [line, games] : std::vector<std::pair<std::string_view, int>>{
           {"hex size=3", 30}, {"hex size=5 swap=on", 20}, {"hex size=8", 10}, {"hex", 5}}) {
    for (int seed = 0; seed < games; ++seed) {
      Random random(static_cast<std::uint64_t>(seed));
      const auto game = game_of(line);
      while (!game->result().finished()) {
        const std::string move = game->play(game->random_move(random));
        if (game->result().finished()) break;
        CAPTURE(game->position());
        CAPTURE(move);
        const Hex& hex = dynamic_cast<const BoxedGame<Hex>&>(*game).game();
        const auto last = hex.move_of(move);
        std::set<std::string> expected;
        if (move != "swap") {
          const int point = static_cast<int>(code(*last));
          const int n = hex.shape().width;
          expected = completions(Picture(*game), point % n, point / n);
        }
        std::set<std::string> drawn;
        for (int i = 0; i < 60; ++i) drawn.insert(hex.text(hex.informed_move(random)));
        if (expected.empty()) {
          // Any move.
          const auto empty = game->legal_moves().size();
          CHECK(drawn.size() >= std::min<std::size_t>(empty, 15) / 2);
        } else {
          CHECK(drawn == expected);
          ++answers;
          choices += expected.size() > 1 ? 1 : 0;
        }
      }
    }
  }
  CHECK(answers > 100);
  CHECK(choices > 10);
}

TEST_CASE("Hex: the last move makes no other position, and a set-up position has none") {
  const auto one = game_of("hex size=5");
  play_all(*one, "c3 b2 d4 b4");
  const auto other = game_of("hex size=5");
  play_all(*other, "d4 b4 c3 b2");
  const auto inside = [](const AnyGame& game) -> const Hex& {
    return dynamic_cast<const BoxedGame<Hex>&>(game).game();
  };
  CHECK(inside(*one) == inside(*other));
  CHECK(inside(*one) == inside(*game_at("hex size=5", one->position())));
}

TEST_CASE("Hex: swap") {
  const auto game = game_of("hex size=5 swap=on");
  CHECK_THROWS_AS(game->play("swap"), BadGame);
  game->play("b4");
  CHECK(game->legal_moves().back() == "swap");
  CHECK(game->legal_moves().size() == 25);
  game->play("swap");
  // The stone stays where it is and is white now; black moves.
  CHECK(game->position() == "...../.O.../...../...../..... b");
  CHECK(game->legal_moves().size() == 24);
  // It counts for white's edges, not for black's.
  CHECK(outcome(*game) == "");
  play_all(*game, "a1 a4 b1 c4 c1 d4 d1 e4");
  CHECK(outcome(*game) == "W+1");
  // Only white's first move, and only where the rule is on.
  const auto later = game_of("hex size=5 swap=on");
  play_all(*later, "b4 c3 c2");
  CHECK_THROWS_AS(later->play("swap"), BadGame);
  const auto off = game_of("hex size=5");
  off->play("b4");
  CHECK_THROWS_AS(off->play("swap"), BadGame);
}

TEST_CASE("Hex: swap=pieces moves the stone across the long diagonal") {
  const auto game = game_of("hex size=5 swap=pieces");
  game->play("b4");
  CHECK(game->legal_moves().back() == "swap");
  const double before = *game->static_value();
  game->play("swap");
  CHECK(game->position() == "...../...../...../...O./..... b");
  // The same position for the other side.
  CHECK(*game->static_value() == doctest::Approx(1 - before));
  CHECK(game->legal_moves().size() == 24);
  // The point is joined to white's edge where it lies now.
  const auto edge = game_of("hex size=3 swap=pieces");
  play_all(*edge, "b1 swap c3 b2 b3 c2");
  CHECK(outcome(*edge) == "W+1");
}

TEST_CASE("Hex: a swapped stone on the left column is joined to it") {
  const auto game = game_of("hex size=3 swap=on");
  play_all(*game, "a2 swap c3 b2 b3 c2");
  CHECK(outcome(*game) == "W+1");
}

TEST_CASE("Hex: positions that cannot be") {
  const auto refused = [](std::string_view line, std::string_view position) {
    CAPTURE(position);
    CHECK_THROWS_AS(static_cast<void>(game_at(line, position)), BadGame);
  };
  refused("hex size=3", "X../.../... b");
  refused("hex size=3", ".../.../... w");
  refused("hex size=3", "X../O../.../... b");
  refused("hex size=3", "X../O../... b 1");
  refused("hex size=3", ".../OOO/XXX w");          // white to move has already won
  refused("hex size=3", ".XO/.XO/.X. b");          // one black stone too many
  refused("hex size=3", ".../.O./... b");          // as after swap, but the rule is off
  refused("hex size=3 swap=on", ".../.../... w");  // no stone to swap
  refused("hex size=3 swap=on", ".O./.O./... b");  // two stones too many
  CHECK(moves_of(*game_at("hex size=3 swap=on", ".../.O./... b")) == "a1 a2 a3 b1 b3 c1 c2 c3");
  CHECK(outcome(*game_at("hex size=3 swap=on", ".X./.O./... w")) == "");
  CHECK(outcome(*game_at("hex size=3", ".XO/.X./O.. b")) == "");
}

// 4 standard errors round what Ludii 1.0.8 counted (7x7: 16426 games, 11x11: 4377).
TEST_CASE("Hex: random games") {
  struct Statistics {
    std::string_view line;
    int games;
    double black, black_error, plies, plies_error;
  };
  for (const auto& expected : {Statistics{"hex size=7", 4000, .548, .035, 42.20, .40},
                               Statistics{"hex", 1500, .534, .060, 107.1, 1.3}}) {
    CAPTURE(expected.line);
    Random random(7);
    const auto boxed = game_of(expected.line);
    const Hex initial = dynamic_cast<const BoxedGame<Hex>&>(*boxed).game();
    double black = 0;
    double plies = 0;
    for (int i = 0; i < expected.games; ++i) {
      Hex game = initial;
      for (; !game.result().finished(); ++plies) game.play(random_move(game, random));
      black += game.result().share(Colour::black);
    }
    CHECK(std::abs(black / expected.games - expected.black) < expected.black_error);
    CHECK(std::abs(plies / expected.games - expected.plies) < expected.plies_error);
  }
}

}  // namespace
}  // namespace pitboss::games
