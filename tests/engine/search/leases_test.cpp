#include "engine/search/shared_tree.hpp"

#include <doctest/doctest.h>

#include "engine/search/mcts.hpp"
#include "games/breakthrough.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using games::Breakthrough;

namespace {

/// A tree in which every move that is asked for has a node.
class Moves {
 public:
  explicit Moves(const Breakthrough& root) : root_(root), simulator_(root) {
    tree_.reset(16);
    simulator_.begin({}, 0, root, games::Random(1));
    simulator_.reset(tree_);
  }
  /// Move `i` in a position, whose block is made if `block` is null.
  [[nodiscard]] Edge edge(const Breakthrough& position, MoveBlock*& block, int i) {
    if (block == nullptr) block = &tree_.block(simulator_.expand(position));
    if (block->node()[i] == 0) {
      block->node()[i] = simulator_.access().writer.add_node();
      tree_.node(block->node()[i]) = Selector::untried();
    }
    return {block, &tree_.node(block->node()[i]), i, {}};
  }
  [[nodiscard]] const Breakthrough& root() const { return root_; }

 private:
  Breakthrough root_;
  Tree tree_;
  Simulator<Breakthrough> simulator_;
};

Breakthrough after(Breakthrough position, const Edge& edge) {
  position.play(edge.block->move()[edge.move]);
  return position;
}

}  // namespace

TEST_CASE("Leases: positions and movers are those of the way, whatever was leased before") {
  Moves moves(tests::initial_position<Breakthrough>());
  const Breakthrough& root = moves.root();
  Leases leases(1);
  LeasedPositions<Breakthrough> positions(root);
  CHECK(leases.empty());
  MoveBlock* first = nullptr;
  MoveBlock* second = nullptr;
  MoveBlock* other = nullptr;
  const Edge a = moves.edge(root, first, 3);
  const Edge b = moves.edge(after(root, a), second, 5);
  const Edge sibling = moves.edge(after(root, a), second, 7);
  const Edge c = moves.edge(root, first, 4);
  const Edge d = moves.edge(after(root, c), other, 5);

  const auto lease = [&](std::initializer_list<Edge> way) {
    leases.clear();
    leases.start();
    for (const Edge& edge : way) leases.go(edge);
    leases.add().edge = leases.last_edge();
  };
  const auto check = [&](std::size_t i, std::initializer_list<Edge> way) {
    Breakthrough position = root;
    const std::span<const Edge> path = leases.path_to(leases[i]);
    REQUIRE(path.size() == way.size());
    CHECK(leases.depth() == way.size());
    CHECK(leases.above().size() == way.size() - 1);
    auto edge = path.begin();
    for (const Edge& wanted : way) {
      CHECK(edge->node == wanted.node);
      CHECK(edge->move == wanted.move);
      CHECK(edge->mover == position.to_move());
      position = after(position, wanted);
      ++edge;
    }
    CHECK(positions[i] == position);
  };

  lease({a, b});
  leases.add().edge = sibling;
  positions.find(leases, root);
  check(0, {a, b});
  check(1, {a, sibling});
  // Behind the sibling, whose edge is the last of the path now, the way that was known before.
  lease({a, b});
  positions.find(leases, root);
  check(0, {a, b});
  lease({c});
  positions.find(leases, root);
  check(0, {c});
  lease({c, d});
  positions.find(leases, root);
  check(0, {c, d});
  lease({a, sibling});
  positions.find(leases, root);
  check(0, {a, sibling});

  // The root itself.
  leases.clear();
  leases.start();
  leases.add();
  positions.find(leases, root);
  CHECK(leases.depth() == 0);
  CHECK(leases.above().empty());
  CHECK(leases.path_to(leases[0]).empty());
  CHECK(positions[0] == root);
}
