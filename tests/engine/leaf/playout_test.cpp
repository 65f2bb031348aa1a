#include "engine/leaf/playout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "engine/policy/mast.hpp"
#include "tests/engine/leaf/evaluating.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

TEST_CASE("MAST: at rate 0 playouts are what they are without") {
  using G = games::Connect4;
  const auto game = games::make_game("connect4");
  const G start = inside<G>(*game);
  const double never = 0;
  ContextTable means;
  means.reset(1 << 20);
  using Mast = MastPolicy<G, UniformPolicy>;
  PlayoutEvaluator<G, Mast> idle(nullptr, Mast(never, means));
  PlayoutEvaluator<G, UniformPolicy> uniform(nullptr);
  // At rate 0 it draws a number a move more, so only the shares of wins are the same.
  const auto share_of_first = [&](Evaluator<G>& evaluator, int playouts) {
    games::Random random(1);
    double sum = 0;
    for (int i = 0; i < playouts; ++i) sum += values_by(evaluator, start, random)[0];
    return sum / playouts;
  };
  const double expected = share_of_first(uniform, 20000);
  CHECK(share_of_first(idle, 20000) == doctest::Approx(expected).epsilon(0.03));
}

TEST_CASE("MAST: a win in one that has been seen is played again") {
  using G = games::Connect4;
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const G position = inside<G>(*game);
  const double always = 1;
  ContextTable means;
  means.reset(1 << 20);
  using Mast = MastPolicy<G, UniformPolicy>;
  PlayoutEvaluator<G, Mast> greedy(nullptr, Mast(always, means));
  games::Random random(1);
  double late = 0;
  for (int i = 0; i < 400; ++i) {
    const double first = values_by(greedy, position, random)[0];
    if (i >= 200) late += first;
  }
  CHECK(late == 200);
}

TEST_CASE("MAST: an unknown move counts as a draw") {
  using G = games::Connect4;
  const auto game = games::make_game("connect4");
  const G position = inside<G>(*game);
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  const double always = 1;
  const auto chosen = [&](int known, double result, std::uint64_t seed) {
    ContextTable means;
    means.reset(1 << 20);
    for (int i = 0; i < known; ++i) {
      means.add(key_of(0, action_of(moves[i], position.to_move())), result);
    }
    MastPolicy<G, UniformPolicy> policy(always, means);
    games::Random random(seed);
    const games::Move move = policy.move(position, random);
    return std::ranges::find(moves, move) - moves.begin();
  };
  std::set<std::ptrdiff_t> as_good;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CHECK(chosen(6, 0.25, seed) == 6);  // better than what loses more often than not
    CHECK(chosen(4, 0, seed) >= 4);
    CHECK(chosen(1, 0.75, seed) == 0);  // worse than what wins more often than not
    as_good.insert(chosen(3, 0.5, seed));
  }
  CHECK(as_good.size() == 7);
}

TEST_CASE("playouts: a simulation by half moves is as long as the same one by whole moves") {
  using G = games::Amazons;
  using Halves = games::Halved<G>;
  const Options options = options_of("evaluation=playout relative_bonus=true");
  QualityRewards<G> rewards(0, games::Colour::black);
  QualityRewards<Halves> by_halves(0, games::Colour::black);
  rewards.set(options);
  by_halves.set(options);
  PlayoutEvaluator<G, UniformPolicy> whole(&rewards);
  PlayoutEvaluator<Halves, UniformPolicy> halves(&by_halves);
  const G root = inside<G>(*games::make_game("amazons"));
  int told_apart = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    games::Random random(i);
    Trajectory<Halves> trajectory{Halves(root)};
    // Some leaves are the root, some lie between two halves of a move.
    for (std::uint64_t n = i % 3 == 0 ? 0 : i % 24; n > 0; --n, ++trajectory.length) {
      trajectory.leaf.play(games::random_move(trajectory.leaf, random));
    }
    games::Random same = random;
    Evaluation<Halves> found;
    halves.evaluate(trajectory, random, found);
    // What a half move has begun is completed first.
    Trajectory<G> with_whole_moves(trajectory.leaf.completed(same));
    with_whole_moves.length = (trajectory.length + 1) / 2;
    Evaluation<G> expected;
    whole.evaluate(with_whole_moves, same, expected);
    CHECK(found.values == expected.values);
    told_apart += found.values[0] == 0 || found.values[0] == 1 ? 0 : 1;
  }
  CHECK(told_apart > 50);
}

TEST_CASE("search: MAST in every game, with either policy") {
  for (const auto name : games::game_names()) {
    for (const char* rest : {"mast=0.3", "mast=1", "mast=0.5 playout=informed", "mast=1 threads=2",
                             "mast=0.5 relative_bonus=true"}) {
      CAPTURE(name);
      CAPTURE(rest);
      const auto game = games::make_game(name);
      const Options options = options_of("evaluation=playout simulations=150 " + std::string(rest));
      try {
        check_options(*game, options);
      } catch (const BadOption&) {
        CHECK(options.playout == Playout::informed);
        continue;
      }
      const Report report = searched(*game, options);
      CHECK(report.simulations == 150);
      if (options.threads == 1) CHECK(visits(report) == visits(searched(*game, options)));
    }
  }
}
