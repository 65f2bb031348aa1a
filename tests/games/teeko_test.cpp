#include "games/teeko.hpp"

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
using Figure = std::set<Point>;

/// All lines of four and blocks, by trying every beginning.
std::vector<Figure> figures() {
  const std::vector<std::vector<Point>> forms{{{0, 0}, {1, 0}, {2, 0}, {3, 0}},
                                              {{0, 0}, {0, 1}, {0, 2}, {0, 3}},
                                              {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
                                              {{0, 3}, {1, 2}, {2, 1}, {3, 0}},
                                              {{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
  std::vector<Figure> all;
  for (const auto& form : forms) {
    for (int x = 0; x < 5; ++x) {
      for (int y = 0; y < 5; ++y) {
        Figure figure;
        for (const auto& [dx, dy] : form) {
          if (x + dx < 5 && y + dy < 5) figure.insert({x + dx, y + dy});
        }
        if (figure.size() == 4) all.push_back(figure);
      }
    }
  }
  return all;
}

/// The rules once more, on sets of points.
class SlowTeeko {
 public:
  [[nodiscard]] char to_move() const { return plies_ % 2 == 0 ? 'b' : 'w'; }
  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    for (int x = 0; x < 5; ++x) {
      for (int y = 0; y < 5; ++y) {
        if (men_[0].contains({x, y}) || men_[1].contains({x, y})) continue;
        if (plies_ < 8) moves.push_back(point_text(x, y));
        for (const auto& [mx, my] : men_[plies_ % 2]) {
          const bool beside = std::abs(mx - x) <= 1 && std::abs(my - y) <= 1;
          if (plies_ >= 8 && beside) moves.push_back(point_text(mx, my) + point_text(x, y));
        }
      }
    }
    return moves;
  }
  void play(const std::string& move) {
    const auto places = points_of(move);
    Figure& own = men_[plies_ % 2];
    const auto point = [](std::string_view text) {
      const auto place = place_of(text);
      return Point{place->x, place->y};
    };
    if (places.size() == 2) own.erase(point(places[0]));
    own.insert(point(places.back()));
    ++plies_;
  }
  [[nodiscard]] std::string winners() const {
    static const std::vector<Figure> winning = figures();
    for (const Figure& figure : winning) {
      if (figure == men_[0]) return "b";
      if (figure == men_[1]) return "w";
    }
    return plies_ >= 1000 ? "bw" : "";
  }

 private:
  std::array<Figure, 2> men_;
  int plies_ = 0;
};

TEST_CASE("Teeko against a slow reference") {
  int wins = 0;
  int draws = 0;
  compare_with("teeko", 40, SlowTeeko(), [&](const AnyGame& game) {
    const Result result = game.result();
    if (result.finished()) ++(result.shared() ? draws : wins);
  });
  CHECK(wins > 20);
  CHECK(draws > 0);
}

/// A position line with men on these points.
std::string position(const Figure& black, const Figure& white, std::string_view rest) {
  std::string rows;
  for (int y = 4; y >= 0; --y) {
    for (int x = 0; x < 5; ++x) {
      rows += black.contains({x, y}) ? 'X' : white.contains({x, y}) ? 'O' : '.';
    }
    if (y > 0) rows += '/';
  }
  return rows + " " + std::string(rest);
}

// Every set of four points is one of the 44 figures or wins nothing.
TEST_CASE("Teeko::result()") {
  const auto winning = figures();
  CHECK(winning.size() == 44);
  const auto game = game_of("teeko");
  int won = 0;
  for (int a = 0; a < 25; ++a) {
    for (int b = a + 1; b < 25; ++b) {
      for (int c = b + 1; c < 25; ++c) {
        for (int d = c + 1; d < 25; ++d) {
          Figure men;
          Figure others;
          for (const int p : {a, b, c, d}) men.insert({p % 5, p / 5});
          // White's three lie anywhere else.
          for (int p = 0; others.size() < 3; ++p) {
            if (!men.contains({p % 5, p / 5})) others.insert({p % 5, p / 5});
          }
          game->set_position(position(men, others, "w"));
          const bool is_figure = std::ranges::find(winning, men) != winning.end();
          won += outcome(*game) == "B+1" ? 1 : 0;
          if ((outcome(*game) == "B+1") != is_figure) FAIL(game->position());
        }
      }
    }
  }
  CHECK(won == 44);
}

// Four markers and the points round them are nine or more: a side is never without a move.
TEST_CASE("Teeko: there is always a move") {
  int fewest = 25;
  for (int code = 0; code < 25 * 25 * 25 * 25; ++code) {
    const std::array<int, 4> men{code % 25, code / 25 % 25, code / 625 % 25, code / 15625};
    if (!(men[0] < men[1] && men[1] < men[2] && men[2] < men[3])) continue;
    std::uint32_t covered = 0;
    for (const int p : men) {
      for (int q = 0; q < 25; ++q) {
        if (std::abs(p % 5 - q % 5) <= 1 && std::abs(p / 5 - q / 5) <= 1) covered |= 1U << q;
      }
    }
    fewest = std::min(fewest, std::popcount(covered));
  }
  CHECK(fewest > 8);
}

TEST_CASE("Teeko::play()") {
  const auto game = game_of("teeko");
  CHECK(game->legal_moves().size() == 25);
  play_all(*game, "a1 b2 b1 c3 c1 d5");
  // The fourth in line wins at once, in the drop as later.
  CHECK_THROWS_AS(game->play("a1a2"), BadGame);
  auto won = game->clone();
  won->play("d1");
  CHECK(outcome(*won) == "B+1");
  CHECK(won->position() == "...O./...../..O../.O.../XXXX. w");
  play_all(*game, "d2 e5");
  CHECK(split(game->position()).size() == 2);
  CHECK_THROWS_AS(game->play("d4"), BadGame);
  CHECK_THROWS_AS(game->play("d2d4"), BadGame);
  CHECK_THROWS_AS(game->play("b2a2"), BadGame);
  game->play("d2d1");
  CHECK(outcome(*game) == "B+1");
  CHECK(split(game->position()).back() == "9");
}

TEST_CASE("Teeko: the game is drawn after 1000 plies") {
  auto game = game_at("teeko", "...OO/...../..O../.O.X./XXX.. b 998");
  game->play("d2d3");
  CHECK(outcome(*game).empty());
  game->play("b2b3");
  CHECK(outcome(*game) == "draw");
  game = game_at("teeko", "...XX/...../..X../.X.O./OOO.. w 999");
  game->play("d2d1");
  CHECK(outcome(*game) == "W+1");
}

TEST_CASE("Teeko::with()") {
  for (const std::string_view bad : {
           "...../...../...../...../X.... b",       // white is to move
           "...../...../...../..OO./X.... b",       // too many of white's
           "XXOOX/...../...../OX.../X...O w",       // five markers
           "XXXX./...../...../OO.../O...O b",       // already won
           "XXXX./...../...../OOOO./..... w",       // both have
           "...../...../...../...../X.... w 12",    // markers are still to come
           "XX.X./...../.X.../OO.O./O.... b 7",     // the eighth marker is the eighth ply
           "XX.X./...../.X.../OO.O./O.... b 9",     // white's turn
           "XX.X./...../.X.../OO.O./O.... b 1001",  // beyond the last ply
           "XX.X./...../.X.../OO.O./O.... b x",
       }) {
    CAPTURE(bad);
    CHECK_THROWS_AS(game_of("teeko")->set_position(bad), BadGame);
  }
  // With all markers on the board either side may be to move.
  CHECK(game_at("teeko", "XX.X./...../.X.../OO.O./O.... w")->legal_moves().size() > 8);
  // Fairy-Stockfish, from a set position.
  const auto perft = game_at("teeko", "O.X.O/...../.X.X./...../O.X.O b")->perft(4);
  while (!perft->advance(100'000)) {
  }
  CHECK(perft->count() == 85760);
}

/// Every figure with markers of one colour only counts for that colour.
double value_of(const AnyGame& game) {
  constexpr std::array weight{0, 1, 4, 12};
  const Picture board(game);
  int sum = board.mover() == 'X' ? 4 : -4;
  for (const Figure& figure : figures()) {
    std::map<char, int> men;
    for (const auto& [x, y] : figure) ++men[board.at(x, y)];
    if (men['O'] == 0) sum += weight[men['X']];
    if (men['X'] == 0) sum -= weight[men['O']];
  }
  return 1 / (1 + std::exp(-0.04 * sum));
}

TEST_CASE("Teeko::static_value()") {
  Random random(3);
  for (int games = 0; games < 10; ++games) {
    for (const auto game = game_of("teeko"); !game->result().finished();) {
      CAPTURE(game->position());
      CHECK(*game->static_value() == doctest::Approx(value_of(*game)).epsilon(1e-12));
      // While markers are dropped, colours cannot be changed: black has dropped first.
      if (game->legal_moves()[0].size() == 4) {
        CHECK(*game_at("teeko", turned(*game))->static_value() ==
              doctest::Approx(1 - *game->static_value()));
      }
      game->play(game->random_move(random));
    }
  }
}

// Ludii with the same rules, 270 games: 361 plies, 9 % without a result at 1000, black wins 43.7 %,
// white 47.0 %, 16.7 moves a ply.
TEST_CASE("Teeko: random games") {
  const RandomPlay play = play_games(Teeko::create({}), 2000);
  CHECK(std::abs(play.plies - 361) < 4 * 303 * std::sqrt(1.0 / 270 + 1.0 / 2000));
  CHECK(std::abs(play.black - 0.437) < 4 * 0.5 * std::sqrt(1.0 / 270 + 1.0 / 2000));
  CHECK(std::abs(play.white - 0.470) < 4 * 0.5 * std::sqrt(1.0 / 270 + 1.0 / 2000));
  CHECK(std::abs(play.moves - 16.7) < 0.3);
}

}  // namespace
}  // namespace pitboss::games
