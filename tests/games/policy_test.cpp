#include "games/policy.hpp"

#include <doctest/doctest.h>

#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

using Parts = std::vector<int>;

/// The parts of the legal move that `text` names.
Parts parts_of(const AnyGame& boxed, std::string_view text) {
  Parts parts;
  with_game(boxed.name(), [&]<class G>(std::type_identity<G>) {
    static_assert(HasPolicy<G>);
    const G& game = dynamic_cast<const BoxedGame<G>&>(boxed).game();
    MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    for (const Move move : moves) {
      if (game.text(move) != text) continue;
      const PolicyParts found = game.policy_parts(move);
      parts.assign(found.begin(), found.end());
    }
  });
  return parts;
}

/// The parts of the move that `move` names after `moves`.
Parts parts_after(std::string_view line, std::string_view moves, std::string_view move) {
  const auto game = game_of(line);
  play_all(*game, moves);
  return parts_of(*game, move);
}
Parts parts_of(std::string_view line, std::string_view move) { return parts_after(line, "", move); }

int size_of(std::string_view line) {
  const auto boxed = game_of(line);
  int size = 0;
  with_game(boxed->name(), [&]<class G>(std::type_identity<G>) {
    size = dynamic_cast<const BoxedGame<G>&>(*boxed).game().policy_size();
  });
  return size;
}

// The indices of the networks of Novelty in MCTS, written out. The networks' white moves first in
// connect4, breakthrough and knightthrough, so that it is black here.
TEST_CASE("the policies of the authors' networks: stones") {
  CHECK(size_of("connect4") == 7);
  CHECK(parts_of("connect4", "a1") == Parts{0});
  CHECK(parts_after("connect4", "d1", "d2") == Parts{3});
  CHECK(parts_after("connect4", "d1", "g1") == Parts{6});

  CHECK(size_of("othello") == 65);
  CHECK(parts_of("othello", "e3") == Parts{2 * 8 + 4});
  CHECK(parts_of("othello", "d6") == Parts{5 * 8 + 3});
  CHECK(parts_of("othello", "c5") == Parts{4 * 8 + 2});
  CHECK(parts_of("othello", "f4") == Parts{3 * 8 + 5});
  const auto stuck = game_at(
      "othello", "......../......../......../...OO.../...OO.../......../......../........ b");
  CHECK(parts_of(*stuck, "pass") == Parts{64});

  CHECK(size_of("atarigo") == 49);
  CHECK(parts_of("atarigo", "a1") == Parts{0});
  CHECK(parts_of("atarigo", "g1") == Parts{6});
  CHECK(parts_of("atarigo", "d4") == Parts{3 * 7 + 3});
  CHECK(parts_of("atarigo", "g7") == Parts{48});

  CHECK(size_of("gomoku") == 81);
  CHECK(parts_of("gomoku", "e5") == Parts{4 * 9 + 4});
  CHECK(parts_after("gomoku", "e5", "j1") == Parts{8});
  CHECK(parts_after("gomoku", "e5", "a9") == Parts{72});
}

TEST_CASE("the policies of the authors' networks: men, left of the mover first") {
  CHECK(size_of("breakthrough") == 192);
  CHECK(parts_of("breakthrough", "g2f3") == Parts{(1 * 8 + 6) * 3 + 0});
  CHECK(parts_of("breakthrough", "g2g3") == Parts{(1 * 8 + 6) * 3 + 1});
  CHECK(parts_of("breakthrough", "g2h3") == Parts{(1 * 8 + 6) * 3 + 2});
  CHECK(parts_after("breakthrough", "g2g3", "b7c6") == Parts{(6 * 8 + 1) * 3 + 0});
  CHECK(parts_after("breakthrough", "g2g3", "b7b6") == Parts{(6 * 8 + 1) * 3 + 1});
  CHECK(parts_after("breakthrough", "g2g3", "b7a6") == Parts{(6 * 8 + 1) * 3 + 2});

  CHECK(size_of("knightthrough") == 256);
  CHECK(parts_of("knightthrough", "d2b3") == Parts{(1 * 8 + 3) * 4 + 0});
  CHECK(parts_of("knightthrough", "f1e3") == Parts{(0 * 8 + 5) * 4 + 1});
  CHECK(parts_of("knightthrough", "c1d3") == Parts{(0 * 8 + 2) * 4 + 2});
  CHECK(parts_of("knightthrough", "d2f3") == Parts{(1 * 8 + 3) * 4 + 3});
  CHECK(parts_after("knightthrough", "f1e3", "d7f6") == Parts{(6 * 8 + 3) * 4 + 0});
  CHECK(parts_after("knightthrough", "f1e3", "d7e5") == Parts{(6 * 8 + 3) * 4 + 1});
  CHECK(parts_after("knightthrough", "f1e3", "d7c5") == Parts{(6 * 8 + 3) * 4 + 2});
  CHECK(parts_after("knightthrough", "f1e3", "d7b6") == Parts{(6 * 8 + 3) * 4 + 3});
}

TEST_CASE("the policies of the authors' games on other boards") {
  CHECK(size_of("othello size=6") == 37);
  CHECK(parts_of("othello size=6", "d2") == Parts{1 * 6 + 3});
  CHECK(size_of("breakthrough size=5") == 75);
  CHECK(parts_of("breakthrough size=5", "e2d3") == Parts{(1 * 5 + 4) * 3 + 0});
  CHECK(size_of("knightthrough size=7") == 196);
  CHECK(size_of("atarigo size=11") == 121);
  CHECK(size_of("gomoku size=19") == 361);
}

TEST_CASE("placements count cells from the top") {
  CHECK(size_of("hex") == 121);
  CHECK(parts_of("hex", "a11") == Parts{0});
  CHECK(parts_of("hex", "l11") == Parts{10});
  CHECK(parts_of("hex", "l1") == Parts{120});
  for (const std::string_view line : {"yavalath", "pentalath"}) {
    CAPTURE(line);
    CHECK(size_of(line) == 81);
    CHECK(parts_of(line, "e9") == Parts{4});
    CHECK(parts_of(line, "e5") == Parts{40});
    CHECK(parts_of(line, "a1") == Parts{72});
  }
  CHECK(size_of("rolit players=4") == 64);
  CHECK(parts_of("rolit", "d3") == Parts{5 * 8 + 3});
}

TEST_CASE("swap is the last entry, if the rule is on") {
  CHECK(size_of("hex swap=on") == 122);
  CHECK(parts_after("hex swap=on", "e5", "swap") == Parts{121});
  for (const std::string_view line : {"yavalath swap=on", "pentalath swap=on"}) {
    CAPTURE(line);
    CHECK(size_of(line) == 82);
    CHECK(parts_after(line, "e5", "swap") == Parts{81});
  }
}

TEST_CASE("moves with several parts") {
  CHECK(size_of("amazons") == 300);
  CHECK(parts_of("amazons", "d1d7g7") == Parts{93, 100 + 33, 200 + 36});
  CHECK(size_of("amazons size=8") == 192);
  CHECK(parts_of("amazons size=8", "c1c2a2") == Parts{58, 64 + 50, 128 + 48});

  CHECK(size_of("chinesecheckers") == 338);
  CHECK(parts_of("chinesecheckers", "d2f4") == Parts{11 * 13 + 3, 169 + 9 * 13 + 5});
  CHECK(size_of("chinesecheckers board=full") == 578);

  CHECK(size_of("cannon") == 300);
  CHECK(parts_of("cannon", "e1") == Parts{100 + 94});
  CHECK(parts_after("cannon", "e1 e10", "b4b5") == Parts{61, 100 + 51});
  // Three soldiers in a column; the front one is the from-point of the shot.
  const auto shooting = game_at("cannon",
                                "....W...../........../........../........../...O....../........../"
                                "...X....../...X....../...X....../....B..... b");
  CHECK(parts_of(*shooting, "d4xd6") == Parts{63, 200 + 43});
}

TEST_CASE("moves by from-point and direction") {
  CHECK(size_of("fanorona") == 3 * 8 * 45 + 1);
  CHECK(parts_of("fanorona", "d2e3a") == Parts{(1 * 8 + 4) * 45 + 3 * 9 + 3});
  const auto quiet = game_at("fanorona", "O......../........./........./........./........X b");
  CHECK(parts_of(*quiet, "j1h1") == Parts{1 * 45 + 44});
  const auto withdrawing =
      game_at("fanorona", "O......../........./........./........./......OX. b");
  CHECK(parts_of(*withdrawing, "h1j1w") == Parts{(2 * 8 + 0) * 45 + 43});
  const auto chain =
      game_at("fanorona", "........./........./........./..X.O..../O........ b 1:c2,b2");
  CHECK(parts_of(*chain, "pass") == Parts{1080});

  CHECK(size_of("teeko") == 225);
  CHECK(parts_of("teeko", "c3") == Parts{4 * 25 + 12});
  constexpr std::string_view drops = "c3 a1 c4 a2 d3 a4 e5 b5";
  CHECK(parts_after("teeko", drops, "c4b5") == Parts{});  // occupied
  CHECK(parts_after("teeko", drops, "c4d5") == Parts{2 * 25 + 7});
  CHECK(parts_after("teeko", drops, "c4d4") == Parts{5 * 25 + 7});
  CHECK(parts_after("teeko", drops, "c3b2") == Parts{6 * 25 + 12});
  CHECK(parts_after("teeko", drops, "c3c2") == Parts{7 * 25 + 12});
}

}  // namespace
}  // namespace pitboss::games
