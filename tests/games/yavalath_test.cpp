#include "games/yavalath.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "games/boxed_game.hpp"
#include "tests/games/naive_placing.hpp"

namespace pitboss::games {
namespace {

/// Yavalath by its rules.
class NaiveYavalath : public NaivePlacing {
 public:
  explicit NaiveYavalath(bool swap) : NaivePlacing(swap, hexagon_steps) { add_hexagon(*this); }
  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (const Point& p : holding('.')) moves.push_back(text(p));
    if (may_swap()) moves.emplace_back("swap");
    return moves;
  }
  void play(const std::string& move) { put(move); }
  [[nodiscard]] std::string winners() const {
    const char last = mover() == 'X' ? 'O' : 'X';
    const int line = longest_line(last);
    if (line >= 4) return last == 'X' ? "b" : "w";
    if (line == 3) return last == 'X' ? "w" : "b";
    return holding('.').empty() ? "bw" : "";
  }
};

TEST_CASE("Yavalath against a slow reference") {
  int swaps = 0;
  int black = 0;
  int fours = 0;
  int finished = 0;
  const auto count = [&](const AnyGame& game) {
    const Picture board(game);
    swaps +=
        std::ranges::count(board.rows(), 'O') == 1 && std::ranges::count(board.rows(), 'X') == 0;
    if (!game.result().finished()) return;
    ++finished;
    black += outcome(game) == "B+1";
    fours += outcome(game) == (board.mover() == 'X' ? "W+1" : "B+1");
  };
  compare_with("yavalath", 300, NaiveYavalath(false), count);
  compare_with("yavalath swap=on", 300, NaiveYavalath(true), count);
  CHECK(finished == 600);
  CHECK(swaps > 0);
  CHECK(black > 100);
  CHECK(fours > 20);
}

struct Row {
  std::string_view black;
  std::string_view white;
  std::string_view move;  ///< black's
  std::string_view outcome;
};

const std::vector<Row> rows = {
    // Three in line lose, on each axis.
    {"a1 b1", "a5 c5", "c1", "W+1"},
    {"e1 e3", "a5 c5", "e2", "W+1"},
    {"d4 e5", "a5 c5", "f6", "W+1"},
    // Four in line win, on each axis; the stone may be the second or the third of them.
    {"a1 b1 d1", "a5 c5 b2", "c1", "B+1"},
    {"e1 e3 e4", "a5 c5 b2", "e2", "B+1"},
    {"d4 e5 g7", "a5 c5 b2", "f6", "B+1"},
    // Five are four.
    {"a5 b5 d5 e5", "a1 c1 d1 b3", "c5", "B+1"},
    // Four are tested before three: one stone makes both, and white does not win by the three.
    {"a1 b1 d1 c2 c3", "e9 f9 h9 g7 d8", "c1", "B+1"},
    // The anti-diagonal is no line: d4, c5, b6.
    {"d4 c5", "a1 c1", "e3", ""},
    // Two and one with a gap are nothing yet.
    {"a1 b1", "a5 c5", "d1", ""},
    // The end of a row is no neighbour of the next one's beginning: e1, a2, b2.
    {"d1 e1", "a5 c5", "a2", ""},
    {"j8 j9", "a1 c1", "f6", ""},
};

TEST_CASE("Yavalath: four win, three lose") {
  for (const Row& row : rows) {
    CAPTURE(row.black);
    CAPTURE(row.move);
    const auto game = game_at("yavalath", stones_on("yavalath", row.black, row.white, "b"));
    game->play(row.move);
    CHECK(outcome(*game) == row.outcome);
  }
}

constexpr std::array<std::pair<int, int>, 3> axes = {{{1, 0}, {0, 1}, {1, 1}}};

/// The longest line of `own` through (x, y) with a stone there.
int line_through(const Picture& board, int x, int y, char own) {
  int longest = 0;
  for (const auto& [dx, dy] : axes) {
    int length = 1;
    for (int i = 1; board.at(x + i * dx, y + i * dy) == own; ++i) ++length;
    for (int i = 1; board.at(x - i * dx, y - i * dy) == own; ++i) ++length;
    longest = std::max(longest, length);
  }
  return longest;
}

/// Points that win, points that lose, open windows with two stones.
std::array<int, 3> features_of(const Picture& board, char own) {
  std::array<int, 3> features{};
  board.for_each([&](int x, int y) {
    if (board.at(x, y) == '.') {
      const int line = line_through(board, x, y, own);
      features[0] += line >= 4;
      features[1] += line == 3;
    }
    for (const auto& [dx, dy] : axes) {
      int stones = 0;
      int points = 0;
      for (int i = 0; i < 4; ++i) {
        const char c = board.at(x + i * dx, y + i * dy);
        stones += c == own;
        points += c == own || c == '.';
      }
      features[2] += points == 4 && stones == 2;
    }
  });
  return features;
}

/// For the side to move, which has `own`.
double value_of(const Picture& board, char own) {
  const auto mine = features_of(board, own);
  const auto others = features_of(board, other(own));
  if (mine[0] > 0) return 1;
  if (others[0] > 1) return 0;
  int safe = 0;
  board.for_each([&](int x, int y) {
    if (board.at(x, y) != '.') return;
    const bool stops = others[0] == 0 || line_through(board, x, y, other(own)) >= 4;
    safe += stops && line_through(board, x, y, own) < 3;
  });
  if (safe == 0) return 0;
  return 1 / (1 + std::exp(-.2 - .2 * (others[1] - mine[1]) - .1 * (mine[2] - others[2])));
}

TEST_CASE("Yavalath: static value") {
  CHECK(*game_of("yavalath")->static_value() == doctest::Approx(1 / (1 + std::exp(-.2))));
  int decided = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    for (const auto game = game_of("yavalath swap=on"); !game->result().finished();
         game->play(game->random_move(random))) {
      CAPTURE(game->position());
      const Picture board(*game);
      std::array<std::uint16_t, 6> features{};
      dynamic_cast<const BoxedGame<Yavalath>&>(*game).game().features(features);
      const auto black = features_of(board, 'X');
      const auto white = features_of(board, 'O');
      for (int i = 0; i < 3; ++i) {
        CHECK(features[i] == black[i]);
        CHECK(features[3 + i] == white[i]);
      }
      const double value = value_of(board, board.mover());
      decided += value == 0 || value == 1;
      CHECK(*game->static_value() == doctest::Approx(board.mover() == 'X' ? value : 1 - value));
    }
  }
  CHECK(decided > 20);
}

TEST_CASE("Yavalath: the static value is the same for both colours") {
  Random random(3);
  const auto game = game_of("yavalath swap=on");
  for (int ply = 0; !game->result().finished(); ++ply) {
    if (ply > 1) {
      CHECK(*game_at("yavalath swap=on", recoloured(*game))->static_value() ==
            doctest::Approx(1 - *game->static_value()));
    }
    game->play(game->random_move(random));
  }
}

TEST_CASE("Yavalath: swap") {
  const auto game = game_of("yavalath swap=on");
  CHECK_THROWS_AS(game->play("swap"), BadGame);
  game->play("e5");
  CHECK(game->legal_moves().size() == 61);
  game->play("SWAP");
  CHECK(game->position() == stones_on("yavalath", "", "e5", "b"));
  CHECK(game->legal_moves().size() == 60);
  play_all(*game, "a1 e6 a2");
  CHECK_THROWS_AS(game->play("swap"), BadGame);
  game->play("e7");
  CHECK(outcome(*game) == "B+1");  // white has three in line
  const auto off = game_of("yavalath");
  off->play("e5");
  CHECK_THROWS_AS(off->play("swap"), BadGame);
}

TEST_CASE("Yavalath: positions that cannot be") {
  const auto refused = [](std::string_view line, const std::string& position) {
    CAPTURE(position);
    CHECK_THROWS_AS(static_cast<void>(game_at(line, position)), BadGame);
  };
  const auto at = [](std::string_view black, std::string_view white, std::string_view rest) {
    return stones_on("yavalath", black, white, rest);
  };
  refused("yavalath", at("a1", "", "b"));
  refused("yavalath", at("", "", "w"));
  refused("yavalath", at("a1", "a2", "b 2"));
  refused("yavalath", at("", "a1", "b"));  // swap is off
  refused("yavalath swap=on", at("", "a1 a3", "b"));
  refused("yavalath", at("a1 b1 c1", "a5 b3 d3", "b"));        // black lost before
  refused("yavalath", at("a1 b1 c1 d1", "a5 b3 d3 e5", "b"));  // black won before
  refused("yavalath", at("a1 b1 c1 a3 b3 c3", "a5 b5 d5 e5 e7", "w"));
  CHECK(outcome(*game_at("yavalath", at("a1 b1 c1", "a5 b3", "w"))) == "W+1");
  CHECK(outcome(*game_at("yavalath", at("a1 b1 c1 d1", "a5 b3 c5", "w"))) == "B+1");
  CHECK(outcome(*game_at("yavalath swap=on", at("", "a1", "b"))) == "");
}

// h8 is the last empty point. The stone that fills the board may draw, lose or win.
const std::vector<Row> full_boards = {
    {"a1 a4 b2 b3 b5 c1 c2 c5 c7 d3 d4 d6 d7 e2 e5 e6 e9 f4 f5 f7 f8 g3 g4 "
     "g6 g9 h5 h9 j5 j7 j8",
     "a2 a3 a5 b1 b4 b6 c3 c4 c6 d1 d2 d5 d8 e1 e3 e4 e7 e8 f2 f3 f6 f9 g5 "
     "g7 g8 h4 h6 h7 j6 j9",
     "h8", "draw"},
    {"a1 a4 b2 b3 b6 c1 c2 c5 c7 d3 d4 d6 d7 e2 e5 e6 e9 f4 f5 f7 f8 g3 g6 "
     "g7 g9 h5 h6 j5 j7 j9",
     "a2 a3 a5 b1 b4 b5 c3 c4 c6 d1 d2 d5 d8 e1 e3 e4 e7 e8 f2 f3 f6 f9 g4 "
     "g5 g8 h4 h7 h9 j6 j8",
     "h8", "W+1"},
    {"a2 a3 b1 b2 b4 b5 c1 c3 c6 c7 d2 d3 d5 d8 e1 e4 e7 f2 f3 f6 f8 f9 g5 "
     "g8 h4 h5 h7 j6 j8 j9",
     "a1 a4 a5 b3 b6 c2 c4 c5 d1 d4 d6 d7 e2 e3 e5 e6 e8 e9 f4 f5 f7 g3 g4 "
     "g6 g7 g9 h6 h9 j5 j7",
     "h8", "B+1"},
};

TEST_CASE("Yavalath: the last point") {
  for (const Row& row : full_boards) {
    CAPTURE(row.outcome);
    const auto game = game_at("yavalath", stones_on("yavalath", row.black, row.white, "b"));
    CHECK(moves_of(*game) == row.move);
    game->play(row.move);
    CHECK(outcome(*game) == row.outcome);
    CHECK(outcome(*game_at("yavalath", game->position())) == row.outcome);
  }
}

// 4 standard errors round what Ludii 1.0.8 counted (8307 games).
TEST_CASE("Yavalath: random games") {
  constexpr int games = 5000;
  Random random(7);
  const auto boxed = game_of("yavalath swap=on");
  const Yavalath initial = dynamic_cast<const BoxedGame<Yavalath>&>(*boxed).game();
  double black = 0;
  double plies = 0;
  for (int i = 0; i < games; ++i) {
    Yavalath game = initial;
    for (; !game.result().finished(); ++plies) game.play(random_move(game, random));
    black += game.result().share(Colour::black);
  }
  CHECK(std::abs(black / games - .473) < .036);
  CHECK(std::abs(plies / games - 19.72) < .45);
}

}  // namespace
}  // namespace pitboss::games
