#include "games/pentalath.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "games/boxed_game.hpp"
#include "tests/games/naive_placing.hpp"

namespace pitboss::games {
namespace {

/// Pentalath by its rules.
class NaivePentalath : public NaivePlacing {
 public:
  explicit NaivePentalath(bool swap) : NaivePlacing(swap, hexagon_steps) { add_hexagon(*this); }

  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (const Point& p : holding('.')) {
      NaivePentalath next = *this;
      next.place(text(p));
      if (next.breathes(p)) moves.push_back(text(p));
    }
    if (may_swap()) moves.emplace_back("swap");
    return moves;
  }
  void play(const std::string& move) { place(move); }
  [[nodiscard]] std::string winners() const {
    const char last = other(mover());
    if (longest_line(last) >= 5) return last == 'X' ? "b" : "w";
    return legal_moves().empty() || plies_ == 1000 ? "bw" : "";
  }

 private:
  [[nodiscard]] bool breathes(Point stone) const {
    std::set<Point> group{stone};
    std::vector<Point> todo{stone};
    while (!todo.empty()) {
      const Point p = todo.back();
      todo.pop_back();
      for (const Point& q : neighbours(p)) {
        if (at(q) == '.') return true;
        if (at(q) == at(stone) && group.insert(q).second) todo.push_back(q);
      }
    }
    return false;
  }
  void place(const std::string& move) {
    put(move);
    std::vector<Point> captured;  // all together: found before the first is removed
    for (const Point& p : holding(mover())) {
      if (!breathes(p)) captured.push_back(p);
    }
    for (const Point& p : captured) board_[p] = '.';
  }
};

int stones_of(const AnyGame& game) {
  const std::string rows = Picture(game).rows();
  return static_cast<int>(std::ranges::count(rows, 'X') + std::ranges::count(rows, 'O'));
}

TEST_CASE("Pentalath against a slow reference") {
  int captures = 0;
  int suicides = 0;
  int swaps = 0;
  int wins = 0;
  int before = 0;
  const auto count = [&](const AnyGame& game) {
    const int stones = stones_of(game);
    captures += stones < before && stones > 0 ? 1 : 0;
    swaps += stones == 1 && before == 1 ? 1 : 0;
    before = stones;
    wins += outcome(game).size() == 3 ? 1 : 0;
    const int free = 61 - stones;
    suicides += game.result().finished() || stones == 1
                    ? 0
                    : free - static_cast<int>(game.legal_moves().size());
  };
  compare_with("pentalath", 60, NaivePentalath(false), count);
  compare_with("pentalath swap=on", 60, NaivePentalath(true), count);
  CHECK(captures > 20);
  CHECK(suicides > 30);
  CHECK(swaps > 0);
  CHECK(wins > 100);
}

struct Row {
  std::string_view what;
  std::string_view black;
  std::string_view white;
  std::string_view move;
  std::string_view black_after;  ///< empty if the move is illegal
  std::string_view white_after;
};

const std::vector<Row> rows = {
    {"one stone in a corner", "b1 b2", "a1 e9 f9", "a2", "a2 b1 b2", "e9 f9"},
    {"one stone inside", "d5 f5 e4 e6 d4", "e5 a1 a2 b2 a5", "f6", "d5 f5 e4 e6 d4 f6",
     "a1 a2 b2 a5"},
    {"a group", "c1 c2 b3 c3 j9", "a1 b1 b2 a2 j7", "a3", "c1 c2 b3 c3 j9 a3", "j7"},
    {"two groups at once", "b2 c2 c1 b3 a3", "b1 a2 e9 f9 j9", "a1", "a1 b2 c2 c1 b3 a3",
     "e9 f9 j9"},
    // The enemy's group is looked at first: what seems suicide captures.
    {"no suicide that captures", "c1 c2 c3 b3 a3", "b1 b2 a2 j7 j8", "a1", "c1 c2 c3 b3 a3 a1",
     "j7 j8"},
    {"suicide of one stone", "j9 j8 g9", "b1 b2 a2", "a1", "", ""},
    {"suicide of a group", "a1 j9 j8 g9 e5", "b1 b2 b3 a3 c1", "a2", "", ""},
    {"a group that keeps a liberty", "a1 j9 j8 g9", "b1 b2 b3 c1", "a2", "a1 j9 j8 g9 a2",
     "b1 b2 b3 c1"},
};

TEST_CASE("Pentalath: captures and suicide") {
  for (const Row& row : rows) {
    CAPTURE(row.what);
    const auto game = game_at("pentalath", stones_on("pentalath", row.black, row.white, "b 60"));
    if (row.black_after.empty()) {
      CHECK_THROWS_AS(game->play(row.move), BadGame);
      continue;
    }
    game->play(row.move);
    CHECK(game->position() == stones_on("pentalath", row.black_after, row.white_after, "w 61"));
    // The same for the other colour.
    const auto white = game_at("pentalath", stones_on("pentalath", row.white, row.black, "w 61"));
    white->play(row.move);
    CHECK(white->position() == stones_on("pentalath", row.white_after, row.black_after, "b 62"));
  }
}

TEST_CASE("Pentalath: five in line") {
  struct Line {
    std::string_view black, white, move, outcome;
  };
  for (const auto& [black, white, move, result] : {
           Line{"a3 b3 c3 d3", "a1 b1 c1 e9", "e3", "B+1"},
           Line{"e1 e2 e4 e5", "a1 b1 c1 e9", "e3", "B+1"},
           Line{"a1 b2 c3 d4", "a3 b1 c1 e9", "e5", "B+1"},
           Line{"a3 b3 c3 e3 f3", "a1 b1 c1 e9 f9", "d3", "B+1"},  // six
           Line{"a3 b3 c3 e3", "a1 b1 c1 e9", "f3", ""},
           // No line: the end of a row and the beginning of the next.
           Line{"d1 e1 a2 b2", "g9 j9 f9 e9", "c2", ""},
           // Neither is the third diagonal.
           Line{"d4 c5 e3 f2", "a1 b1 c1 e9", "b6", ""},
       }) {
    CAPTURE(black);
    const auto game = game_at("pentalath", stones_on("pentalath", black, white, "b"));
    game->play(move);
    CHECK(outcome(*game) == result);
  }
}

TEST_CASE("Pentalath: the stone that makes five captures first") {
  const auto game =
      game_at("pentalath", stones_on("pentalath", "a4 b5 c6 d6 e6 f6", "a5 a1 a2 j5 j7 j9", "b"));
  game->play("b6");
  CHECK(outcome(*game) == "B+1");
  CHECK(game->position() == stones_on("pentalath", "a4 b5 b6 c6 d6 e6 f6", "a1 a2 j5 j7 j9", "w"));
}

TEST_CASE("Pentalath: swap") {
  const auto game = game_of("pentalath swap=on");
  CHECK_THROWS_AS(game->play("swap"), BadGame);
  game->play("c3");
  CHECK(game->legal_moves().size() == 61);
  game->play("swap");
  CHECK(game->position() == stones_on("pentalath", "", "c3", "b"));
  play_all(*game, "d4 e5");
  CHECK(game->position() == stones_on("pentalath", "d4", "c3 e5", "b"));
  CHECK_THROWS_AS(game->play("swap"), BadGame);
  const auto off = game_of("pentalath");
  off->play("c3");
  CHECK_THROWS_AS(off->play("swap"), BadGame);
}

TEST_CASE("Pentalath: drawn after 1000 plies") {
  const auto late = [](std::string_view black, std::string_view white, std::string_view rest) {
    return game_at("pentalath", stones_on("pentalath", black, white, rest));
  };
  const auto game = late("a1 b1", "e9 f9 a5 b5 c5 d5", "b 998");
  game->play("c1");
  CHECK(outcome(*game) == "");
  CHECK(game->position() == stones_on("pentalath", "a1 b1 c1", "e9 f9 a5 b5 c5 d5", "w 999"));
  // A win by the last ply stands.
  const auto win = game->clone();
  win->play("e5");
  CHECK(outcome(*win) == "W+1");
  game->play("e7");
  CHECK(outcome(*game) == "draw");
  CHECK(game->legal_moves().empty());
  CHECK(outcome(*late("a1", "a2", "b 1000")) == "draw");
  // Positions that differ in the number of plies are different ones.
  CHECK(late("a1 b1 c3", "a2 e5 f8", "b 8")->position() !=
        late("a1 b1 c3", "a2 e5 f8", "b")->position());
}

TEST_CASE("Pentalath: positions that cannot be") {
  const auto refused = [](std::string_view line, std::string_view black, std::string_view white,
                          std::string_view rest) {
    const auto position = stones_on("pentalath", black, white, rest);
    CAPTURE(position);
    CHECK_THROWS_AS(static_cast<void>(game_at(line, position)), BadGame);
  };
  refused("pentalath", "", "", "w");
  refused("pentalath", "", "a1", "b");
  refused("pentalath swap=on", "", "a1 c1", "b");
  refused("pentalath", "a1", "", "b");
  refused("pentalath", "a1 a2", "c3 c4", "b 3");  // too few plies
  refused("pentalath", "a1 a2", "c3 c4", "b 5");  // white's turn
  refused("pentalath", "a1 a2", "c3 c4", "b 1002");
  refused("pentalath", "a1 a2", "c3 c4", "w 5");  // two stones of white's capture nothing
  refused("pentalath", "a1 a2", "c3 c4", "b x");
  refused("pentalath", "a1 a2", "c3 c4", "b 6x");
  refused("pentalath", "a2 b1 b2", "a1 e5", "w");  // a1 has no liberty
  refused("pentalath", "a2 b1 b2", "a1 e5 e7", "b");
  refused("pentalath", "a3 b3 c3 d3 e3", "a1 b1 c1 e9 e7", "b");  // won before
  refused("pentalath", "a3 b3 c3 d3 e3 e5 f5 g5 h5 j5", "a1 b1 c1 e9 e7 a5 c5 f9 j9", "w");
}

/// Windows of five with one to four stones of `own` and no other.
std::array<int, 4> open_windows(const Picture& board, char own) {
  std::array<int, 4> windows{};
  board.for_each([&](int x, int y) {
    for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{0, 1}, std::pair{1, 1}}) {
      int stones = 0;
      int points = 0;
      for (int i = 0; i < 5; ++i) {
        const char c = board.at(x + i * dx, y + i * dy);
        stones += c == own;
        points += c == own || c == '.';
      }
      if (points == 5 && 1 <= stones && stones <= 4) ++windows[stones - 1];
    }
  });
  return windows;
}

/// The liberties of the group that the stone on (x, y) belongs to.
int liberties_of(const Picture& board, int x, int y) {
  std::set<std::pair<int, int>> group = {{x, y}};
  std::set<std::pair<int, int>> liberties;
  std::vector<std::pair<int, int>> todo = {{x, y}};
  while (!todo.empty()) {
    const auto [px, py] = todo.back();
    todo.pop_back();
    for (const auto& [dx, dy] : hexagon_steps) {
      const char c = board.at(px + dx, py + dy);
      if (c == '.') liberties.insert({px + dx, py + dy});
      const bool joined = c == board.at(x, y) && group.insert({px + dx, py + dy}).second;
      if (joined) todo.push_back({px + dx, py + dy});
    }
  }
  return static_cast<int>(liberties.size());
}

/// What the stones of `own` are worth, less what they are for their few liberties.
double worth_of(const Picture& board, char own, const std::map<int, double>& by_liberties) {
  double sum = 0;
  board.for_each([&](int x, int y) {
    if (board.at(x, y) != own) return;
    const auto loss = by_liberties.find(liberties_of(board, x, y));
    sum += .25 - (loss == by_liberties.end() ? 0 : loss->second);
  });
  return sum;
}

/// For the side to move.
double value_of(const Picture& board) {
  const char mover = board.mover();
  const auto own = open_windows(board, mover);
  const auto enemy = open_windows(board, other(mover));
  double logits = .54 + .04 * (own[0] - enemy[0]) + .16 * (own[1] - enemy[1]);
  logits += .71 * own[2] - .39 * enemy[2];
  logits += own[3] > 0 ? 5.4 : 0;
  logits -= enemy[3] > 1 ? 4.3 : enemy[3] == 1 ? 1.5 : 0;
  logits += worth_of(board, mover, {{1, .78}, {2, .3}, {3, .13}});
  logits -= worth_of(board, other(mover), {{1, .98}, {2, .26}, {3, .13}});
  return 1 / (1 + std::exp(-logits));
}

TEST_CASE("Pentalath: static value") {
  CHECK(*game_of("pentalath")->static_value() == doctest::Approx(1 / (1 + std::exp(-.54))));
  int fours = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random(seed);
    for (const auto game = game_of("pentalath"); !game->result().finished();
         game->play(game->random_move(random))) {
      CAPTURE(game->position());
      const Picture board(*game);
      for (const char c : {'X', 'O'}) fours += open_windows(board, c)[3];
      const double value = value_of(board);
      CHECK(*game->static_value() == doctest::Approx(board.mover() == 'X' ? value : 1 - value));
      if (stones_of(*game) < 5) continue;
      CHECK(*game_at("pentalath", recoloured(*game))->static_value() ==
            doctest::Approx(1 - *game->static_value()));
    }
  }
  CHECK(fours > 10);
}

TEST_CASE("Pentalath: quality") {
  const auto quality = [](std::string_view white) {
    const auto game = game_at("pentalath", stones_on("pentalath", "a1 b1 c1 d1 e1", white, "w 59"));
    REQUIRE(outcome(*game) == "B+1");
    return dynamic_cast<const BoxedGame<Pentalath>&>(*game).game().quality();
  };
  CHECK(quality("e5 f5 g5") == doctest::Approx(.4));
  CHECK(quality("e5 f5 h5") == doctest::Approx(.6));
  CHECK(quality("e5 f5 g5 h5") == doctest::Approx(.2));
  // Four on an edge of five points, and three with no room: f1 is no point.
  CHECK(quality("e9 f9 g9 h9") == doctest::Approx(.2));
  CHECK(quality("a2 a3 b3") == doctest::Approx(.6));
  CHECK(quality("") == doctest::Approx(1));
  // Seen in no window of five: a row of three, a gap, another stone, and one more point.
  CHECK(quality("a2 b2 c2 e2") == doctest::Approx(.4));
}

namespace {

/// By the book: row by row, the room counted point by point.
double plain_quality(const Pentalath& game) {
  const hexagon::Board own = game.pieces(index(game.to_move()));
  const hexagon::Board open = minus(hexagon::points, game.pieces(1 - index(game.to_move())));
  const auto has = [](const hexagon::Board& board, int p) { return p >= 0 && board.has(p); };
  int longest = 0;
  own.for_each([&](int p) {
    for (const int step : hexagon::axes) {
      if (has(own, p - step)) continue;  // not where the row begins
      int length = 0;
      while (has(own, p + length * step)) ++length;
      int room = 0;
      for (int q = p - step; has(open, q); q -= step) room += own.has(q) ? 0 : 1;
      for (int q = p + length * step; has(open, q); q += step) room += own.has(q) ? 0 : 1;
      if (length + room >= 5) longest = std::max(longest, length);
    }
  });
  return (5 - longest) / 5.0;
}

}  // namespace

TEST_CASE("Pentalath: quality is that by the book, however a game ends") {
  const auto start = make_game("pentalath");
  Random random{9};
  int won = 0;
  for (int i = 0; i < 2000; ++i) {
    Pentalath game = dynamic_cast<const BoxedGame<Pentalath>&>(*start).game();
    while (!game.result().finished()) game.play(game.random_move(random));
    if (game.result().shared()) continue;
    ++won;
    REQUIRE(game.quality() == plain_quality(game));
  }
  CHECK(won > 1000);
}

/// Statistics of games between players of one kind.
struct Statistics {
  double black = 0, plies = 0, quality = 0;
};

template <class Draw>
Statistics statistics(int games, Draw&& draw) {
  Random random(7);
  Statistics sums;
  const auto boxed = game_of("pentalath");
  int won = 0;
  for (int i = 0; i < games; ++i) {
    Pentalath game = dynamic_cast<const BoxedGame<Pentalath>&>(*boxed).game();
    for (; !game.result().finished(); ++sums.plies) game.play(draw(game, random));
    sums.black += game.result().share(Colour::black);
    if (game.result().shared()) continue;
    sums.quality += game.quality();
    ++won;
  }
  return {sums.black / games, sums.plies / games, sums.quality / won};
}

// 4 standard errors round what the author's program counted (2000 games of each kind).
TEST_CASE("Pentalath: random games, uniform and informed") {
  const auto uniform = statistics(
      3000, [](const Pentalath& game, Random& random) { return random_move(game, random); });
  CHECK(std::abs(uniform.plies - 45.6) < 1.2);
  const auto informed = statistics(
      3000, [](const Pentalath& game, Random& random) { return game.informed_move(random); });
  CHECK(std::abs(informed.plies - 43.0) < 1.2);
  CHECK(std::abs(informed.black - .52) < .06);
  CHECK(std::abs(informed.quality - .453) < .03);
}

}  // namespace
}  // namespace pitboss::games
