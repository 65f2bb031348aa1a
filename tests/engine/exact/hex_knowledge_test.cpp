#include "engine/exact/hex_knowledge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "engine/exact/exact_solver.hpp"
#include "games/random.hpp"
#include "tests/engine/exact/solved_hex.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

TEST_CASE("hex knowledge: as the exact solver, and a win is always left") {
  games::Random random(1);
  int decided = 0;
  int winning = 0;
  int losing = 0;
  int redundant = 0;
  for (int i = 0; i < 300; ++i) {
    const auto position = hex_after(4 + i % 3, 2 + i % 13, random);
    const auto truth = solved(*position);
    const bool is_won = std::ranges::any_of(truth, [](const ExactMove& m) { return m.score > 0; });
    const auto& hex = inside<games::Hex>(*position);
    HexKnowledge knowledge;
    knowledge.prepare(hex);
    const auto verdict = knowledge.look(hex);
    CAPTURE(position->position());
    if (verdict.winner) {
      CHECK((*verdict.winner == hex.to_move()) == is_won);
      ++decided;
    }
    bool leaves_win = false;
    int open = 0;
    for (const ExactMove& move : truth) {
      CAPTURE(move.move);
      const MoveWorth worth = verdict.worth(move.code);
      if (worth == MoveWorth::winning) CHECK(move.score > 0);
      if (worth == MoveWorth::losing) CHECK(move.score < 0);
      winning += worth == MoveWorth::winning ? 1 : 0;
      losing += worth == MoveWorth::losing ? 1 : 0;
      redundant += worth == MoveWorth::redundant ? 1 : 0;
      if (worth == MoveWorth::losing || worth == MoveWorth::redundant) continue;
      ++open;
      leaves_win |= move.score > 0;
    }
    CHECK(open > 0);
    CHECK(leaves_win == is_won);
  }
  CHECK(decided > 100);
  CHECK(decided < 290);
  CHECK(winning > 50);
  CHECK(losing > 100);
  CHECK(redundant > 30);
}

TEST_CASE("hex knowledge: boards of every size of words") {
  HexKnowledge knowledge;
  for (const int size : {3, 8, 9, 11, 12, 19, 5}) {
    CAPTURE(size);
    // Black's chain needs one of two points of the highest row, and white is to move.
    const auto position = games::game_of("hex size=" + std::to_string(size));
    for (int y = 1; y < size; ++y) {
      position->play("b" + std::to_string(y));
      if (y + 1 < size) position->play("c" + std::to_string(y));
    }
    const auto& hex = inside<games::Hex>(*position);
    REQUIRE(hex.to_move() == games::Colour::white);
    knowledge.prepare(hex);
    CHECK(knowledge.look(hex).winner == games::Colour::black);
  }
}

TEST_CASE("hex knowledge: none where the next move or the one after it may be swap") {
  HexKnowledge knowledge;
  const auto position = games::game_of("hex size=3 swap=on");
  for (const char* const move : {"b2", "a1"}) {
    const auto& hex = inside<games::Hex>(*position);
    knowledge.prepare(hex);
    const auto verdict = knowledge.look(hex);
    CHECK_FALSE(verdict.winner);
    CHECK(verdict.losing.none());
    CHECK(verdict.redundant.none());
    position->play(move);
  }
  CHECK(knowledge.look(inside<games::Hex>(*position)).winner == games::Colour::black);
}
