#include <doctest/doctest.h>

#include "tests/games/set_up.hpp"
#include "tests/golden/novelty_reference.hpp"

namespace pitboss::games {
namespace {

// Along one game of each type: static values and numbers of legal moves of the authors' program.
TEST_CASE("AnyGame::static_value() along the reference games") {
  const auto games = tests::novelty_reference();
  CHECK(games.size() == 5);
  for (const auto& reference : games) {
    CAPTURE(reference.game);
    const auto game = game_of(reference.game);
    for (const auto& ply : reference.plies) {
      CAPTURE(game->position());
      if (!ply.move.empty()) game->play(ply.move);
      CHECK(game->static_value().value() == doctest::Approx(ply.value).epsilon(1e-10));
      CHECK(static_cast<int>(game->legal_moves().size()) == ply.legal_moves);
      CHECK(game->result().finished() == (ply.legal_moves == 0));
    }
  }
}

struct Row {
  std::string_view game;
  std::string_view moves;
  double value;
};

const std::vector<Row> rows = {
    // Windows through d1: four on the row, one up, two diagonals, 2 each; 14 / 38.25 in the
    // exponent.
    {"connect4", "d1", 0.5904952459},
    {"connect4", "d1 d2", 0.4608645279},
    // Without a stone both have 49 liberties, which is counted as 1 for the side to move.
    {"atarigo", "", 50.0 / 98},
    // d4 has 4 liberties, a missing white stone 49.
    {"atarigo", "d4", 4.0 / 98},
    // White's corner stone has 2 liberties against 4.
    {"atarigo", "d4 a1", 51.0 / 98},
    // Equal liberties, white to move.
    {"atarigo", "a1 g7 b1 f7 e4", 48.0 / 98},
};

TEST_CASE("AnyGame::static_value()") {
  for (const Row& row : rows) {
    CAPTURE(row.game);
    CAPTURE(row.moves);
    const auto game = game_of(row.game);
    play_all(*game, row.moves);
    CHECK(game->static_value().value() == doctest::Approx(row.value).epsilon(1e-9));
  }
}

}  // namespace
}  // namespace pitboss::games
