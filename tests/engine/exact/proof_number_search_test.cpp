#include "engine/exact/proof_number_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "engine/exact/atarigo_solution.hpp"
#include "engine/exact/exact_solver.hpp"
#include "engine/exact/race_solution.hpp"
#include "games/random.hpp"
#include "tests/engine/exact/plain_negamax.hpp"
#include "tests/engine/exact/solver_checks.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

using tests::PlainNegamax;

Patience endless() { return Patience(Patience::TimePoint::max()); }

template <class Game>
Game start(int size) {
  games::Parameters parameters;
  parameters.set("size", std::to_string(size));
  return Game::create(parameters);
}

/// A position so many plies after random moves, all of them such that the game goes on.
template <class Solution>
typename Solution::Game after_plies(const typename Solution::Game& from, int plies,
                                    games::Random& random) {
  using Game = typename Solution::Game;
  for (;;) {
    Game game = from;
    for (int ply = 0; ply < plies && !game.result().finished(); ++ply) {
      games::MoveList<Game::max_moves> moves;
      game.legal_moves(moves);
      const Game before = game;
      for (int tried = 0; tried < 8; ++tried) {
        game = before;
        game.play(moves[random.below(moves.size())]);
        if (!game.result().finished()) break;
      }
    }
    if (!game.result().finished()) return game;
  }
}

/// Has positions solved, and that after each of their moves, by a solution of their own and by one
/// for all; both sides win some. Those that are too much for the plain solver are left out.
template <class Solution>
void check_positions(int size, int plies, int count, std::uint64_t seed) {
  using Game = typename Solution::Game;
  CAPTURE(Game::name);
  CAPTURE(size);
  CAPTURE(plies);
  games::Random random(seed);
  const Game from = start<Game>(size);
  Solution shared(from, std::size_t{1} << 22U);
  auto patience = endless();
  int solved = 0;
  for (int tried = 0; solved < count; ++tried) {
    REQUIRE(tried < 8 * count);
    const Game game = after_plies<Solution>(from, plies, random);
    PlainNegamax<Game> plain(20000);
    const auto score = plain.score(game);
    if (!score) continue;
    ++solved;
    Solution solution(game, std::size_t{1} << 16U);
    CHECK(solution.score(game, patience) == score);
    CHECK(shared.score(game, patience) == score);
    games::MoveList<Game::max_moves> moves;
    game.legal_moves(moves);
    for (const games::Move move : moves) {
      Game after = game;
      after.play(move);
      const auto reply = plain.score(after);
      if (!reply) continue;
      CHECK(solution.most(after) >= *reply);
      CHECK(solution.score(after, patience) == reply);
    }
  }
}

TEST_CASE("proof number search: atarigo as if all lines were tried") {
  for (int plies = 0; plies < 6; ++plies) {
    check_positions<AtariGoSolution>(2, std::min(plies, 2), 5, 1);
    check_positions<AtariGoSolution>(3, plies, 30, 2);
  }
  for (int plies = 5; plies < 14; ++plies) check_positions<AtariGoSolution>(4, plies, 60, 3);
  for (int plies = 14; plies < 20; ++plies) check_positions<AtariGoSolution>(5, plies, 30, 4);
  check_positions<AtariGoSolution>(7, 40, 20, 5);
  check_positions<AtariGoSolution>(8, 55, 10, 6);
  check_positions<AtariGoSolution>(9, 72, 10, 7);
}

TEST_CASE("proof number search: races as if all lines were tried") {
  for (int plies = 14; plies < 24; ++plies) check_positions<BreakthroughSolution>(5, plies, 60, 1);
  for (int plies = 26; plies < 36; plies += 3) {
    check_positions<BreakthroughSolution>(6, plies, 30, 2);
  }
  check_positions<BreakthroughSolution>(7, 46, 20, 3);
  check_positions<BreakthroughSolution>(8, 62, 20, 4);
  for (int plies = 3; plies < 12; ++plies) check_positions<KnightthroughSolution>(5, plies, 60, 5);
  for (int plies = 12; plies < 18; plies += 2) {
    check_positions<KnightthroughSolution>(6, plies, 30, 6);
  }
  check_positions<KnightthroughSolution>(7, 20, 20, 7);
  check_positions<KnightthroughSolution>(8, 34, 10, 8);
}

std::optional<ExactMove> best_of(const games::AnyGame& position, std::size_t table_bytes) {
  const auto solver = make_exact_solver(position, table_bytes);
  auto patience = endless();
  return solver->best(patience);
}

TEST_CASE("proof number search: who wins atarigo on small boards") {
  for (const auto& [size, score] : {std::pair{2, -1}, std::pair{3, 1}, std::pair{4, -1}}) {
    CAPTURE(size);
    const auto best = best_of(*games::game_of("atarigo size=" + std::to_string(size)), 1U << 22U);
    REQUIRE(best);
    CHECK(best->score == score);
  }
}

// exact_tests -ns -tc='*takes some seconds*'
TEST_CASE("proof number search: the starts whose proof takes some seconds" * doctest::skip()) {
  CHECK(best_of(*games::game_of("atarigo size=5"), 256U << 20U)->score == 1);
  CHECK(best_of(*games::game_of("breakthrough size=5"), 256U << 20U)->score == -1);
  CHECK(best_of(*games::game_of("knightthrough size=5"), 256U << 20U)->score == 1);
  CHECK(best_of(*games::game_of("knightthrough size=6"), 256U << 20U)->score == 1);
}

TEST_CASE("proof number search: in bites, and with a table of any size, it comes to the same") {
  games::Random random(9);
  for (const std::string line : {"atarigo size=4", "breakthrough size=5", "knightthrough size=6"}) {
    CAPTURE(line);
    auto position = games::game_of(line);
    const int plies = line[0] == 'b' ? 12 : line[0] == 'k' ? 3 : 2;
    for (int ply = 0; ply < plies; ++ply) position->play(position->random_move(random));
    REQUIRE_FALSE(position->result().finished());
    CAPTURE(position->position());
    tests::check_bites_and_tables(*position, 2048, std::size_t{1} << 14U);
  }
}

TEST_CASE("race patterns: a man that runs, and one that is stopped") {
  const auto score = [](const char* rows) {
    return best_of(*games::game_at("breakthrough size=5", rows), std::size_t{1} << 20U)->score;
  };
  // Black's man is as near to its goal as white's, and black is to move.
  CHECK(score("...../X..../...../....O/..... b") == 1);
  CHECK(score("...../...../X...O/...../..... b") == 1);
  CHECK(score("...../...../X...O/...../..... w") == 1);
  // White's man at a5 captures what comes to b4.
  CHECK(score("O..../...../.X.../....O/..... b") == -1);
  CHECK(score("O..../...../.X.../...../..... b") == 1);
}

}  // namespace
}  // namespace pitboss::engine
