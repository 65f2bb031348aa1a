#include "engine/search/mcts.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "games/breakthrough.hpp"
#include "games/othello.hpp"
#include "tests/engine/leaf/late_evaluator.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

namespace {

/// A simulator with a tree of its own, at a root to which some random moves have led.
template <games::Game G>
struct LoneSearch {
  LoneSearch(int plies, const Options& options, const EvaluatorSource<G>* source = nullptr)
      : root(after(plies)), simulator(root) {
    tree.reset(16);
    simulator.begin(options, plies, root, games::Random(1), source);
    simulator.prepare(root, "");
    simulator.reset(tree);
    node.visits = 1;
  }
  [[nodiscard]] Origin<G> origin() { return {root, node, node.proof, root.to_move()}; }

  static G after(int plies) {
    games::Random random(2);
    G game = initial_position<G>();
    for (int i = 0; i < plies; ++i) game.play(games::random_move(game, random));
    return game;
  }

  G root;
  Tree tree;
  Node node = Selector::untried();
  Simulator<G> simulator;
};

/// Notes all that it is told.
template <games::Game G>
struct Notes final : NoveltyMeasure<G> {
  void reset(const G& /*root*/) override {}
  [[nodiscard]] double observe(const G& position, double value) override {
    told.emplace_back(position, value);
    return 0;
  }
  void exchange(NoveltyMeasure<G>& /*common*/) override {}

  std::vector<std::pair<G, double>> told;
};

/// Calls `visit(position, block)` for every position below that has moves.
template <games::Game G, class Visit>
void for_each_block(const Tree& tree, const G& position, const Node& node, Visit&& visit) {
  if (node.moves == 0) return;
  MoveBlock& block = tree.block(node.moves);
  visit(position, block);
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) continue;
    G next = position;
    next.play(block.move()[i]);
    for_each_block(tree, next, tree.node(block.node()[i]), visit);
  }
}

}  // namespace

TEST_CASE("Simulator: evaluation novelty is told the value for who moves at the root") {
  const auto check = []<class G>(std::type_identity<G>) {
    CAPTURE(G::name);
    for (const int plies : {0, 1, 6, 7}) {  // either colour
      CAPTURE(plies);
      LoneSearch<G> search(plies, options_of("evaluation=static novelty=evaluation"));
      auto notes = std::make_unique<Notes<G>>();
      const Notes<G>& told = *notes;
      search.simulator.slots().novelty = std::move(notes);
      search.node.moves = search.simulator.expand(search.root);
      for (int i = 0; i < 300; ++i) {
        static_cast<void>(search.simulator.simulate(search.origin()));
      }
      CHECK(told.told.size() == 300);
      int of_black = 0;
      int uneven = 0;
      for (const auto& [position, value] : told.told) {
        REQUIRE(value == games::static_values(position)[games::index(search.root.to_move())]);
        of_black += position.to_move() == games::Colour::black ? 1 : 0;
        uneven += value != 0.5 ? 1 : 0;
      }
      // Leaves with either colour to move, whose values are not even.
      CHECK(of_black > 5);
      CHECK(of_black < 295);
      CHECK(uneven > 100);
    }
  };
  check(std::type_identity<games::Breakthrough>{});
  check(std::type_identity<games::Othello>{});
}

TEST_CASE("Simulator: a position that is opened has the evaluation for who moves there") {
  const auto check = []<class G>(std::type_identity<G>) {
    CAPTURE(G::name);
    const PriorSource<G> source;
    for (const int plies : {0, 1, 6, 7}) {
      for (const std::string more : {"", " virtual_samples=false"}) {
        CAPTURE(plies);
        CAPTURE(more);
        LoneSearch<G> search(
            plies, options_of("selection=puct evaluation=network network=net" + more), &source);
        const auto values = games::static_values(search.root);
        search.node.moves = search.simulator.expand(
            search.root, values[games::index(search.root.to_move())], some_priors(search.root));
        for (int i = 0; i < 300; ++i) {
          static_cast<void>(search.simulator.simulate(search.origin()));
        }
        int of_black = 0;
        int of_white = 0;
        for_each_block<G>(
            search.tree, search.root, search.node, [&](const G& position, const MoveBlock& block) {
              if (block.visits > 0) return;
              const games::Colour mover = position.to_move();
              const double value = games::static_values(position)[games::index(mover)];
              REQUIRE(block.mean == doctest::Approx(value));
              if (value == 0.5) return;
              ++(mover == games::Colour::black ? of_black : of_white);
            });
        CHECK(of_black > 5);
        CHECK(of_white > 5);
      }
    }
  };
  check(std::type_identity<games::Breakthrough>{});
  check(std::type_identity<games::Othello>{});
}
