#include "games/amazons.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "games/grid.hpp"
#include "tests/games/battery.hpp"
#include "tests/games/naive.hpp"

namespace pitboss::games {
namespace {

using Point = std::pair<int, int>;

/// The rules on a map from points to letters: 'b' and 'w' queens, '*' arrows.
class Reference {
 public:
  explicit Reference(int size) : size_(size) {
    const std::vector<Point> black = size == 10
                                         ? std::vector<Point>{{0, 3}, {3, 0}, {6, 0}, {9, 3}}
                                         : std::vector<Point>{{0, 2}, {2, 0}, {5, 0}, {7, 2}};
    for (const auto& [x, y] : black) {
      board_[{x, y}] = 'b';
      board_[{x, size - 1 - y}] = 'w';
    }
  }
  explicit Reference(const Picture& picture) : size_(picture.width()) {
    picture.for_each([&](int x, int y) {
      const char c = picture.at(x, y);
      if (c != '.') board_[{x, y}] = c == 'X' ? 'b' : c == 'O' ? 'w' : c;
    });
    mover_ = picture.mover() == 'X' ? 'b' : 'w';
  }

  [[nodiscard]] char to_move() const { return mover_; }
  [[nodiscard]] std::vector<Point> queens(char side) const {
    std::vector<Point> found;
    for (const auto& [p, piece] : board_) {
      if (piece == side) found.push_back(p);
    }
    return found;
  }
  /// Where a queen's move from `p` can end; `gone` has left its point.
  [[nodiscard]] std::vector<Point> slides(Point p, Point gone) const {
    std::vector<Point> ends;
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (dx == 0 && dy == 0) continue;
        for (Point q{p.first + dx, p.second + dy}; is_free(q, gone);
             q = {q.first + dx, q.second + dy}) {
          ends.push_back(q);
        }
      }
    }
    return ends;
  }
  [[nodiscard]] int destinations(char side) const {
    std::size_t n = 0;
    for (const Point& q : queens(side)) n += slides(q, q).size();
    return static_cast<int>(n);
  }
  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (const Point& from : queens(mover_)) {
      for (const Point& to : slides(from, from)) {
        for (const Point& arrow : slides(to, from)) {
          moves.push_back(text(from) + text(to) + text(arrow));
        }
      }
    }
    return moves;
  }
  void play(const std::string& move) {
    const auto points = points_of(move);
    board_.erase(at(points[0]));
    board_[at(points[1])] = mover_;
    board_[at(points[2])] = '*';
    mover_ = mover_ == 'b' ? 'w' : 'b';
  }
  [[nodiscard]] std::string winners() const {
    if (destinations(mover_) > 0) return "";
    return mover_ == 'b' ? "w" : "b";
  }

 private:
  [[nodiscard]] bool is_free(Point q, Point gone) const {
    return 0 <= q.first && q.first < size_ && 0 <= q.second && q.second < size_ &&
           (q == gone || !board_.contains(q));
  }
  static std::string text(Point p) { return point_text(p.first, p.second); }
  static Point at(const std::string& point) {
    const auto place = place_of(point);
    return {place->x, place->y};
  }

  int size_;
  std::map<Point, char> board_;
  char mover_ = 'b';
};
static_assert(pitboss::games::Reference<Reference>);

TEST_CASE("Amazons against a slow reference") {
  compare_with("amazons", 3, Reference(10));
  compare_with("amazons size=8", 10, Reference(8));
}

TEST_CASE("Amazons::create()") {
  CHECK(game_of("amazons")->position() ==
        "...O..O.../........../........../O........O/........../........../X........X/"
        "........../........../...X..X... b");
  CHECK(game_of("amazons size=8")->position() ==
        "..O..O../......../O......O/......../......../X......X/......../..X..X.. b");
  CHECK(game_of("amazons")->legal_moves().size() == 2176);
  CHECK_THROWS_AS(static_cast<void>(game_of("amazons size=9")), BadGame);
}

TEST_CASE("Amazons::play()") {
  const auto game = game_of("amazons");
  game->play("d1d7g7");
  CHECK(game->position() ==
        "...O..O.../........../........../O..X..*..O/........../........../X........X/"
        "........../........../......X... w");
  // Neither queens nor arrows can be jumped over, by a queen or by an arrow.
  CHECK_THROWS_AS(game->play("a7e7e6"), BadGame);
  CHECK_THROWS_AS(game->play("k7f7f6"), BadGame);
  CHECK_THROWS_AS(game->play("k7h7f7"), BadGame);
  CHECK_THROWS_AS(game->play("d10d7d6"), BadGame);  // nothing is captured
  CHECK_THROWS_AS(game->play("d10d9d9"), BadGame);
  CHECK_THROWS_AS(game->play("d10d9"), BadGame);
  CHECK_THROWS_AS(game->play("g1g2g3"), BadGame);  // black's
  // An arrow may fly over the point the queen has left, and hit it.
  game->play("K7-H7-K7");
  game->play("d7d5d8");
  game->play("d10-c10xf10");
  CHECK_THROWS_AS(game->play("d5d6d9"), BadGame);
  game->play("d5d6d2");
}

struct Row {
  std::string_view position;
  std::string_view move;
  std::string_view outcome;
};

const std::vector<Row> rows = {
    // c8 is white's last way out.
    {"OO.....X/OO*...../***...../......../......../......../......../...XXX.. b", "h8g8c8", "B+1"},
    {"OO.....X/OO*...../***...../......../......../......../......../...XXX.. b", "h8g8d8", ""},
    // Neither side can move: the side to move has lost.
    {"OO*...../OO*...../***...../......../.......*/***...../XX**..../XX.*.... b", "b1c1b1", "B+1"},
    // A queen's way out is its enemy's point: free once that has gone, and has not shot at it.
    {"OOX...../OO*...../***...../......../......../......../......../...XXX.. b", "c8d8e8", ""},
    {"OOX...../OO*...../***...../......../......../......../......../...XXX.. b", "c8d8c8", "B+1"},
    {"XXO..*../XX*...../***...../......../......../......../......../...OOO.. w", "c8d8c8", "W+1"},
};

TEST_CASE("Amazons::result()") {
  for (const Row& row : rows) {
    CAPTURE(row.position);
    CAPTURE(row.move);
    const auto game = game_at("amazons size=8", row.position);
    CHECK(outcome(*game).empty());
    game->play(row.move);
    CHECK(outcome(*game) == row.outcome);
    CHECK(winners_of(*game) == Reference(Picture(*game)).winners());
  }
}

TEST_CASE("Amazons: how a move may be written") {
  const auto game = make_game("amazons");
  for (const char* const text : {"d1d7g7", "D1-D7-G7", "d1d7G7", "d1-d7g7"}) {
    CHECK(game->canonical(text) == "d1d7g7");
  }
  const auto what = [&](const char* text) {
    try {
      return game->canonical(text);
    } catch (const BadGame& bad) {
      return std::string(bad.what());
    }
  };
  for (const char* const text : {"d1d7", "d1e9g7", "d1d7z7", "d1d7g11", "d1d7l1", "a5a6a7", "d1"}) {
    CHECK(what(text) ==
          "'" + std::string(text) + "' is not legal here (see the command legal_moves)");
  }
  for (const char* const text : {"", "d1d7g7a1", "d1d7g7 "}) {
    CHECK(what(text) == "not a move: '" + std::string(text) + "'");
  }
}

TEST_CASE("Amazons::quality()") {
  // Black's queens go to f1 g1 h1, 7 points up the column, and so on.
  const auto game = game_at("amazons size=8", rows[0].position);
  game->play(rows[0].move);
  const int destinations = Reference(Picture(*game)).destinations('b');
  CHECK(battery::inside<Amazons>(*game).quality() == destinations / 16.0);
  // The winner may be shut in too.
  const auto stuck = game_at("amazons size=8", rows[2].position);
  stuck->play(rows[2].move);
  CHECK(battery::inside<Amazons>(*stuck).quality() == 0);
}

// Each queen that can move is as likely as the others, a stuck one's share is the next one's; its
// moves are equally likely.
TEST_CASE("Amazons::informed_move()") {
  // a8 is stuck; the queens are listed from the lowest point on, so that b1 gets its share.
  const auto game =
      game_at("amazons size=8",
              "X*....../**....../......../...*..../......../......../....OOOO/.XXX.... b");
  const std::map<std::string, double> shares{{"b1", 0.5}, {"c1", 0.25}, {"d1", 0.25}};
  std::map<std::string, int> moves_from;
  for (const std::string& move : game->legal_moves()) ++moves_from[points_of(move)[0]];
  REQUIRE(moves_from.size() == 3);
  std::map<std::string, int> drawn;
  const auto& position = battery::inside<Amazons>(*game);
  Random random(1);
  constexpr int draws = 100000;
  for (int i = 0; i < draws; ++i) ++drawn[position.text(position.informed_move(random))];
  double chi_square = 0;
  for (const std::string& move : game->legal_moves()) {
    const std::string from = points_of(move)[0];
    const double expected = draws * shares.at(from) / moves_from[from];
    chi_square += (drawn[move] - expected) * (drawn[move] - expected) / expected;
    drawn.erase(move);
  }
  CHECK(drawn.empty());  // nothing illegal
  const double freedom = static_cast<double>(game->legal_moves().size()) - 1;
  CHECK(chi_square < freedom + 4 * std::sqrt(2 * freedom));
}

/// How many points the queens of one side can move to.
int destinations(const Amazons& game, int kind) {
  const BoardShape shape = game.shape();
  int n = 0;
  game.pieces(kind).for_each([&](int p) {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        int x = p % shape.stride + dx;
        int y = p / shape.stride + dy;
        const auto is_free = [&] {
          const int q = shape.point(x, y);
          return 0 <= x && x < shape.width && 0 <= y && y < shape.height &&
                 !(game.pieces(0) | game.pieces(1) | game.pieces(2)).has(q);
        };
        for (; is_free(); x += dx, y += dy) ++n;
      }
    }
  });
  return n;
}

struct Statistics {
  double games = 0;
  double plies = 0;
  double moves = 0;  ///< mean number of legal ones, summed over the games
  double quality = 0;
  double first_wins = 0;
};

/// Of games that end as in the authors' program: as soon as either side is stuck; the first player
/// has lost if both are.
template <class Draw>
Statistics statistics(int games, Draw&& draw) {
  Statistics sum;
  Random random(1);
  const auto initial = game_of("amazons size=8");
  for (; sum.games < games; ++sum.games) {
    Amazons game = battery::inside<Amazons>(*initial);
    double moves = 0;
    int plies = 0;
    while (destinations(game, 0) > 0 && destinations(game, 1) > 0) {
      MoveList<Amazons::max_moves> list;
      game.legal_moves(list);
      moves += list.size();
      game.play(draw(game, random));
      ++plies;
    }
    const int winner = destinations(game, 0) > 0 ? 0 : 1;
    sum.plies += plies;
    sum.moves += moves / plies;
    sum.first_wins += 1 - winner;
    sum.quality += destinations(game, winner) / 16.0;
  }
  return sum;
}

// 2000 games of the authors' program of "Quality-based Rewards": within four standard errors of the
// difference.
TEST_CASE("Amazons: random games") {
  constexpr int games = 1000;
  const double errors = 4 * std::sqrt(1.0 / 2000 + 1.0 / games);
  const auto near = [](double mean, double expected, double margin) {
    CHECK(mean > expected - margin);
    CHECK(mean < expected + margin);
  };
  const auto uniform =
      statistics(games, [](const Amazons& g, Random& r) { return g.random_move(r); });
  near(uniform.plies / games, 45.9, 3.9 * errors);
  near(uniform.moves / games, 279, 8);
  const auto informed =
      statistics(games, [](const Amazons& g, Random& r) { return g.informed_move(r); });
  near(informed.plies / games, 46.3, 3.8 * errors);
  near(informed.quality / games, 0.239, 0.197 * errors);
  near(informed.first_wins / games, 0.49, 0.5 * errors);
}

/// The fewest moves in which a side's queens reach each empty point, up to three.
std::map<Point, int> distances(const Reference& game, char side) {
  std::map<Point, int> found;
  std::vector<Point> front = game.queens(side);
  for (int moves = 1; moves <= 3; ++moves) {
    std::vector<Point> next;
    for (const Point& p : front) {
      for (const Point& q : game.slides(p, p)) {
        if (found.try_emplace(q, moves).second) next.push_back(q);
      }
    }
    front = next;
  }
  return found;
}

double slow_value(const AnyGame& game) {
  const Reference board{Picture(game)};
  const auto black = distances(board, 'b');
  const auto white = distances(board, 'w');
  double lead = 0;
  for (const auto& [p, moves] : black) {
    const int other = white.contains(p) ? white.at(p) : 9;
    lead += moves < other ? 1 : moves > other ? -1 : board.to_move() == 'b' ? 0.3 : -0.3;
  }
  for (const auto& [p, moves] : white) lead -= black.contains(p) ? 0 : 1;
  return 1 / (1 + std::exp(-lead / 7));
}

TEST_CASE("Amazons::static_value()") {
  for (const char* line : {"amazons", "amazons size=8"}) {
    Random random(1);
    for (const auto game = game_of(line); !game->result().finished();) {
      CAPTURE(game->position());
      CHECK(*game->static_value() == doctest::Approx(slow_value(*game)).epsilon(1e-12));
      game->play(game->random_move(random));
    }
  }
}

TEST_CASE("Amazons::with()") {
  const std::string start = game_of("amazons size=8")->position();
  const std::string start_rows = start.substr(0, start.size() - 2);
  CHECK_THROWS_AS(game_of("amazons size=8")->set_position(start_rows + " w"), BadGame);
  CHECK_THROWS_AS(game_of("amazons size=8")->set_position(start_rows + " b 1"), BadGame);
  for (const std::string_view impossible :
       {"...O.O../......../O......O/......../......../X......X/......../..X..X.. w",  // no arrow
        "*..O.O../......../O......O/......../......../X......X/......../..X..X.. b",  // one arrow
        "*..O.O../......../O......./......../......../X......X/......../..X..X.. w",  // no queen
        "*..O.O../......../O......O/......../......../X......X/..X...../..X..X.. w",  // five
        "*..O.O../......../O......O/......../......../X......X/......../..B..X.. w"}) {
    CAPTURE(impossible);
    CHECK_THROWS_AS(game_of("amazons size=8")->set_position(impossible), BadGame);
  }
}

}  // namespace
}  // namespace pitboss::games
