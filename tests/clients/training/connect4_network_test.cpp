#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "engine/search/search.hpp"
#include "games/any_game.hpp"
#include "games/random.hpp"
#include "tests/clients/training/connect4_solver.hpp"
#include "tests/folders.hpp"

// The network of connect4 that `pitboss train` has made (data/networks/), beside exact values.

namespace pitboss::clients {

namespace {

using Moves = std::vector<std::string>;

/// Random moves from the empty board to a position that is not over and has `stones`.
Moves random_moves(int stones, games::Random& random) {
  for (;;) {
    const auto game = games::make_game("connect4");
    Moves moves;
    while (!game->result().finished()) {
      if (static_cast<int>(moves.size()) == stones) return moves;
      moves.push_back(game->play(game->random_move(random)));
    }
  }
}

std::unique_ptr<games::AnyGame> position_after(const Moves& moves) {
  auto game = games::make_game("connect4");
  for (const std::string& move : moves) game->play(move);
  return game;
}

/// By trying everything, with the rules of ours.
int value_by_rules(const Moves& moves) {
  const auto position = position_after(moves);
  if (const auto result = position->result(); result.finished()) return result.shared() ? 0 : -1;
  int best = -1;
  for (const std::string& move : position->legal_moves()) {
    Moves next = moves;
    next.push_back(move);
    best = std::max(best, -value_by_rules(next));
  }
  return best;
}

int value_of_move(Connect4Solver& solver, Moves moves, const std::string& move) {
  moves.push_back(move);
  return -solver.value(moves);
}

}  // namespace

TEST_CASE("connect4's solver: agrees with the rules") {
  Connect4Solver solver;
  games::Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Moves moves = random_moves(34 + i % 6, random);
    CHECK(solver.value(moves) == value_by_rules(moves));
  }
}

TEST_CASE(
    "connect4's network: the first move, and moves that an exact solver finds as good as any") {
  const auto networks = std::make_shared<engine::Networks>(tests::data_folder() + "/networks");
  const auto empty = games::make_game("connect4");
  const auto search = engine::make_search(*empty, networks);
  engine::Options options;
  options.seed = 1;
  options.simulations = 200;
  options.selection = engine::Selection::puct;
  options.evaluation = engine::EvaluatorKind::network;
  options.network = "connect4";
  const auto searched = [&](const games::AnyGame& position) {
    search->begin(position, 0, options, engine::limits_of(options));
    while (search->run(std::chrono::milliseconds(100)) != engine::Progress::done) {
    }
    return position.text(search->best_move());
  };
  CHECK(searched(*empty) == "d1");
  CHECK(search->best_value().value() > 0.55);  // who begins can win

  Connect4Solver solver;
  games::Random random(20);
  constexpr int positions = 1000;
  int agreed = 0;
  for (int i = 0; i < positions; ++i) {
    const Moves moves = random_moves(20 + i % 20, random);
    const std::string move = searched(*position_after(moves));
    agreed += value_of_move(solver, moves, move) == solver.value(moves) ? 1 : 0;
  }
  MESSAGE(agreed << " of " << positions << " moves are as good as any");
  CHECK(agreed >= positions * 95 / 100);
}

}  // namespace pitboss::clients
