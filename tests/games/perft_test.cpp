#include <doctest/doctest.h>

#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

struct Row {
  std::string_view game;
  std::vector<std::uint64_t> counts;  ///< at depth 1, 2, ...
};

// The six games of "Novelty in Monte Carlo Tree Search" were counted by Fairy-Stockfish, Ludii and
// OpenSpiel as far as they have them, and by the authors' program; atarigo by two programs.
const std::vector<Row> rows = {
    {"connect4", {7, 49, 343, 2401, 16807, 117649, 823536, 5673234}},
    {"othello", {4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288}},
    {"breakthrough", {22, 484, 11132, 256036, 6182818}},
    {"knightthrough", {40, 1600, 63520, 2521306}},
    {"gomoku opening=free", {81, 6480, 511920}},
    // Only the centre, then anywhere, then outside the central 5x5.
    {"gomoku", {1, 80, 4424, 345072}},
    {"atarigo", {49, 2352, 110544}},
    // Captures and sides without a move end games on small boards.
    {"atarigo size=3", {9, 72, 504, 2928, 13952}},
    {"atarigo size=2", {4, 12, 24, 16, 0}},
    {"rolit players=2", {3, 20, 93, 572, 2914, 20327}},
    {"rolit players=3", {3, 20, 136, 630, 3956, 27778}},
    {"rolit players=4", {3, 20, 136, 1366, 7427, 44154}},
    // Two programs written after the same rules.
    {"chinesecheckers", {10, 100, 1800, 32400, 632520}},
    {"chinesecheckers board=full", {14, 196, 4760, 115600, 3188520}},
    // Ludii; each step of a chain and each pass is a ply.
    {"fanorona", {5, 17, 64, 327, 1418, 6510, 31217, 145766}},
    // Fairy-Stockfish.
    {"teeko", {25, 600, 13800, 303600, 6375600}},
    // Fairy-Stockfish; the authors' program of "Quality-based Rewards".
    {"amazons", {2176, 4307152}},
    {"amazons size=8", {1232, 1331198}},
    // Two programs; with rules=paper, the authors' program of "Quality-based Rewards".
    {"cannon", {8, 64, 2656, 111376, 4615160}},
    {"cannon rules=paper", {10, 100, 4150, 174025}},
    // Captures are possible from ply 5 on only; these rows, the author's program and the closed
    // form (61, 61 * 60, ...) agree.
    {"pentalath", {61, 3660, 215940, 12524520}},
    {"pentalath swap=on", {61, 3721, 219600}},
    // Counted by Ludii. The earliest win on 7x7 is at ply 13; 3x3 reaches wins at ply 5.
    {"hex size=7", {49, 2352, 110544}},
    {"hex size=7 swap=on", {49, 2401, 112896}},
    {"hex size=3", {9, 72, 504, 3024, 15120, 54720}},
    {"yavalath", {61, 3660, 215940, 12524520}},
    {"yavalath swap=on", {61, 3721, 219600}},
};

TEST_CASE("AnyGame::perft()") {
  for (const Row& row : rows) {
    CAPTURE(row.game);
    const auto game = game_of(row.game);
    for (std::size_t i = 0; i < row.counts.size(); ++i) {
      const auto perft = game->perft(static_cast<int>(i) + 1);
      while (!perft->advance(100'000)) {
      }
      CHECK(perft->count() == row.counts[i]);
    }
  }
}

TEST_CASE("AnyGame::perft() of no ply, and of a finished game") {
  const auto initial = game_of("connect4")->perft(0);
  CHECK(initial->advance(1));
  CHECK(initial->count() == 1);
  const auto finished =
      game_at("gomoku size=5 opening=free", "OOOO./...../...../...../XXXXX w")->perft(3);
  CHECK(finished->advance(1));
  CHECK(finished->count() == 0);
}

// The same count whether it is taken in one piece or interrupted after every position.
TEST_CASE("Perft::advance()") {
  const auto perft = game_of("othello")->perft(5);
  int calls = 1;
  while (!perft->advance(1)) ++calls;
  CHECK(perft->count() == 1396);
  CHECK(calls > 244);
}

}  // namespace
}  // namespace pitboss::games
