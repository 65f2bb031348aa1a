#include "clients/players/uci_games.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace pitboss::clients {

namespace {

const UciGame& uci_game(const games::AnyGame& game) {
  const UciGame* const found = find_uci_game(game.name(), game.parameters());
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("find_uci_game") {
  games::Parameters small;
  small.set("size", "6");
  CHECK(find_uci_game("othello", games::make_game("othello")->parameters()) != nullptr);
  CHECK(find_uci_game("othello", games::make_game("othello", small)->parameters()) == nullptr);
  CHECK(find_uci_game("gomoku", games::make_game("gomoku")->parameters()) == nullptr);
}

TEST_CASE("to_uci and from_uci") {
  struct Row {
    const char* game;
    const char* move;
    const char* uci;
    UciArrow arrow = UciArrow::with_comma;
  };
  constexpr Row rows[] = {
      {"breakthrough", "a2b3", "a2b3"},
      {"connect4", "d1", "P@d1"},
      {"othello", "c5", "P@c5"},
      {"amazons", "d1d7g7", "d1d7,d7g7"},
      {"amazons", "d1d7d1", "d1d7,d7d1"},
      {"amazons", "k4k10j10", "j4j10,j10i10"},
      {"amazons", "d1d7g7", "d1d7pg7", UciArrow::with_piece},
      {"amazons", "d1d7d1", "d1d7p", UciArrow::with_piece},
      {"amazons", "k4k10j10", "j4j10pi10", UciArrow::with_piece},
  };
  for (const Row& row : rows) {
    CAPTURE(row.uci);
    const auto position = games::make_game(row.game);
    const UciGame& game = uci_game(*position);
    CHECK(to_uci(game, *position, row.move, row.arrow) == row.uci);
    CHECK(from_uci(game, row.uci) == row.move);
  }
}

TEST_CASE("to_uci: a pass is a step from the mover's lowest disc onto itself") {
  const auto position = games::make_game("othello");
  const UciGame& game = uci_game(*position);
  position->set_position(
      "......../......../......../...OX.../...XO.../......../..XXXXO./OOOO.... w");
  REQUIRE(position->legal_moves().size() > 0);
  // Whether the pass is legal is not asked.
  CHECK(to_uci(game, *position, "pass", UciArrow::with_comma) == "a1a1");
  position->set_position(
      "......../......../......../...OX.../...XO.../......../..XXXXO./OOOO.... b");
  CHECK(to_uci(game, *position, "pass", UciArrow::with_comma) == "c2c2");
  for (const char* pass : {"a1a1", "a2a2", "0000"}) CHECK(from_uci(game, pass) == "pass");
}

TEST_CASE("from_uci: letters of either case") {
  CHECK(from_uci(uci_game(*games::make_game("connect4")), "P@D1") == "d1");
  CHECK(from_uci(uci_game(*games::make_game("breakthrough")), "D2E3") == "d2e3");
}

TEST_CASE("from_uci: what is no move") {
  const auto check = [](const char* name, const std::vector<const char*>& texts) {
    const auto position = games::make_game(name);
    for (const char* text : texts) {
      CAPTURE(name);
      CAPTURE(text);
      CHECK_FALSE(from_uci(uci_game(*position), text));
    }
  };
  check("breakthrough", {"", "(none)", "0000", "a2", "a2b", "a2b3q", "2a3b", "a2b3c4", "P@a2"});
  check("connect4", {"", "d1", "P@", "P@d", "P@d1d2", "Q@d1", "d1d2", "P@d123"});
  check("amazons", {"", "d1d7", "d1d7,", "d1d7,g7", "d1d7,d6g7", "d1d7,d7g7g8", "d1pd7", "p", ","});
}

}  // namespace pitboss::clients
