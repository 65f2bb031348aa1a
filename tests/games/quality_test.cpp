#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "games/all_games.hpp"
#include "tests/games/battery.hpp"

// Which games have a playout policy of their own and a quality of the won game (Quality-based
// Rewards for MCTS Simulations), and what the qualities of those are that are no more than counts.
namespace pitboss::games {
namespace {

template <class... Games>
constexpr bool all_informed = (HasInformedMove<Games, Random> && ...);
template <class... Games>
constexpr bool none_informed = (!HasInformedMove<Games, Random> && ...);
template <class... Games>
constexpr bool all_have_quality = (HasQuality<Games> && ...);
template <class... Games>
constexpr bool none_has_quality = (!HasQuality<Games> && ...);

// The paper's games have both.
static_assert(all_informed<Amazons, Breakthrough, Cannon, ChineseCheckers, Pentalath>);
static_assert(all_informed<Hex>);
static_assert(none_informed<Connect4, Othello, Knightthrough, AtariGo, Gomoku, Fanorona, Teeko,
                            Yavalath, Rolit>);
static_assert(all_have_quality<Amazons, Breakthrough, Cannon, ChineseCheckers, Pentalath>);
static_assert(all_have_quality<Knightthrough, Othello, Fanorona, Rolit>);
static_assert(none_has_quality<Connect4, AtariGo, Gomoku, Hex, Teeko, Yavalath>);

struct Row {
  std::string_view line;
  std::string_view position;
  std::string_view last_move;  ///< none if the position is finished
  std::string_view outcome;
  double quality;
};

const std::vector<Row> rows = {
    // Men; the last one captured counts no more. The winner may have fewer.
    {"breakthrough", "......../X......./......../......../......../....O.../......../X......X b",
     "a7a8", "B+1", 2.0 / 16},
    {"breakthrough", "......../......../......../......../......../X.X...../...O..../........ w",
     "d2d1", "W+1", -1.0 / 16},
    {"breakthrough size=5", "...../...../.O.../X.X../....X b", "a2b3", "B+1", 3.0 / 10},
    {"breakthrough size=7", "......./......./......./..OO.../...X.../......./....... w", "c4d3",
     "W+1", 2.0 / 14},
    {"knightthrough", "......../......../X......./......../......../OO....../......../........ b",
     "a6b8", "B+1", -1.0 / 16},
    {"knightthrough size=6", "....../....../....../O....O/X...../....X. w", "a3b1", "W+1", 0},
    // Discs; empty points are nobody's.
    {"othello size=4", "XXXX/XOOX/XOOX/XXO. b", "d1", "B+12", 12.0 / 16},
    {"othello size=4", "XXXX/XXXX/OOOO/OOOX w", "", "B+2", 2.0 / 16},
    {"othello size=4", "..../.OO./.OO./.... b 2", "", "W+4", 4.0 / 16},
    {"othello size=6", "OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO/OOOOOO b", "", "W+36", 1},
    // Men, also when the loser has some that cannot move.
    {"fanorona", "........./........./........./........./X.O.....X b", "a1b1a", "B+2", 2.0 / 22},
    {"fanorona", "........./........./XX......./X......../OXX...... b", "b3b2", "B+5", 4.0 / 22},
    // Balls of the colours that play: green's 24 are nobody's between two players.
    {"rolit players=2", "RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRYY/YYYYYYYY/GGGGGGGG/GGGGGGGG/GGGGGGGG r",
     "", "B+20", 20.0 / 64},
    {"rolit players=3", "RRRRRRRR/RRRRRRRR/RRRRRRRR/RRRRRRYY/YYYYYYYY/GGGGGGGG/GGGGGGGG/GGGGGGGG r",
     "", "B+6", 6.0 / 64},
};

TEST_CASE("quality() of won games") {
  for (const Row& row : rows) {
    CAPTURE(row.line);
    CAPTURE(row.position);
    const auto game = game_at(row.line, row.position);
    if (!row.last_move.empty()) game->play(row.last_move);
    CHECK(outcome(*game) == row.outcome);
    with_game(split(row.line)[0], [&]<class G>(std::type_identity<G>) {
      if constexpr (HasQuality<G>) {
        CHECK(battery::inside<G>(*game).quality() == doctest::Approx(row.quality).epsilon(1e-12));
      } else {
        FAIL("no quality");
      }
    });
  }
}

/// A position of the small star with men on these points.
std::string star_with(std::string_view black, std::string_view white, std::string_view rest) {
  Picture star(*game_of("chinesecheckers"));
  star.for_each([&](int x, int y) {
    if (star.at(x, y) == 'X' || star.at(x, y) == 'O') star.put(x, y, '.');
  });
  const auto put = [&](std::string_view points, char man) {
    for (const std::string& point : split(points)) {
      const Place place = place_of(point).value();
      star.put(place.x, place.y, man);
    }
  };
  put(black, 'X');
  put(white, 'O');
  return star.rows() + " " + std::string(rest);
}

TEST_CASE("ChineseCheckers::quality()") {
  // The points of the loser's goal without a man, whosever, over a side's men.
  struct Won {
    std::string_view black;
    std::string_view white;
    std::string_view rest;
    std::string_view last_move;
    double quality;
  };
  for (const auto& [black, white, rest, last_move, quality] : std::vector<Won>{
           // Three of white's men have come to black's home, and one, and none.
           {"h10 j11 k11 j12 k12 k13", "d1 d2 e2 a4 b4 j4", "b", "h10h11", 3.0 / 6},
           {"h10 j11 k11 j12 k12 k13", "d1 c4 c5 a4 b4 j4", "b", "h10h11", 5.0 / 6},
           {"h10 j11 k11 j12 k12 k13", "c4 c5 c6 a4 b4 j4", "b", "h10h11", 1},
           // Black's own that have not left it, alone and beside white's.
           {"h10 d1 d2 e2 d3 e3", "j11 k11 j12 k12 k13 a4", "b 100", "h10h11", 1.0 / 6},
           {"h10 d1 d2 e2 j11 k11", "j12 k12 k13 a4 d3 e3", "b 100", "h10h11", 1.0 / 6},
           // White wins.
           {"k13 k12 j12 n10 m10 e10", "f4 e3 d3 e2 d2 d1", "w 99", "f4f3", 3.0 / 6},
           {"n10 m10 e10 d3 e3 d2", "f4 e2 d1 k13 k12 h11", "w 99", "f4f3", 3.0 / 6},
       }) {
    CAPTURE(black);
    CAPTURE(white);
    const auto game = game_at("chinesecheckers", star_with(black, white, rest));
    game->play(last_move);
    CHECK(game->result().finished());
    CHECK(battery::inside<ChineseCheckers>(*game).quality() == doctest::Approx(quality));
  }
}

/// The longest row of `own` through (x, y) on an axis if it can become five: (5 - L) / 5 is the
/// quality of pentalath (ibid.). Own stones beyond a gap are neither row nor room.
int extensible_row(const Picture& board, char own, int x, int y, int dx, int dy) {
  int row = 1;
  int room = 0;
  for (const int sign : {1, -1}) {
    bool in_row = true;
    for (int i = 1;; ++i) {
      const char c = board.at(x + sign * i * dx, y + sign * i * dy);
      if (c != own && c != '.') break;
      in_row = in_row && c == own;
      row += in_row ? 1 : 0;
      room += c == '.' ? 1 : 0;
    }
  }
  return row + room >= 5 ? row : 0;
}

TEST_CASE("Pentalath::quality() against a slow reference") {
  Random random(5);
  std::array<int, 5> seen{};
  for (int i = 0; i < 300; ++i) {
    const auto game = game_of("pentalath");
    while (!game->result().finished()) game->play(game->random_move(random));
    if (game->result().shared()) continue;
    const Picture board(*game);
    CAPTURE(game->position());
    const char loser = game->result().won_by(Colour::black) ? 'O' : 'X';
    int longest = 0;
    board.for_each([&](int x, int y) {
      if (board.at(x, y) != loser) return;
      longest = std::max({longest, extensible_row(board, loser, x, y, 1, 0),
                          extensible_row(board, loser, x, y, 0, 1),
                          extensible_row(board, loser, x, y, 1, 1)});
    });
    ++seen.at(longest);
    CHECK(battery::inside<Pentalath>(*game).quality() == doctest::Approx((5 - longest) / 5.0));
  }
  CHECK(*std::ranges::min_element(seen) > 0);
}

}  // namespace
}  // namespace pitboss::games
