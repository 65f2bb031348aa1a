#include "engine/tree.hpp"

#include <doctest/doctest.h>

using namespace pitboss;
using namespace pitboss::engine;

TEST_CASE("Tree: nodes and blocks do not overlap") {
  Tree tree;
  tree.reset(1);
  const Index a = tree.add_node();
  const Index block = tree.add_block(13);
  const Index b = tree.add_node();
  tree.node(a) = Node{0.25, 0.5, 7, 1, 0, 0};
  tree.node(b) = Node{0.75, 0.5, 9, 1, 0, 0};
  MoveBlock& moves = tree.block(block);
  CHECK(moves.count == 13);
  CHECK(moves.padded == 16);
  for (std::uint32_t i = 0; i < moves.padded; ++i) {
    moves.base()[i] = 1;
    moves.variance()[i] = 2;
    moves.spread()[i] = 3;
    moves.node()[i] = 4;
    moves.move()[i] = games::Move{5};
  }
  CHECK(tree.node(a).visits == 7);
  CHECK(tree.node(b).visits == 9);
  CHECK(moves.base()[15] == 1);
  CHECK(moves.node()[15] == 4);
  CHECK(tree.nodes() == 2);
}

TEST_CASE("Tree: full means no more, and says so until the next reset") {
  Tree tree;
  tree.reset(1);
  std::int64_t blocks = 0;
  while (tree.add_block(361) != 0) ++blocks;
  CHECK(blocks > 100);
  CHECK(tree.full());
  CHECK(tree.bytes() <= 1024 * 1024);
  while (tree.add_node() != 0) {
  }
  CHECK(tree.bytes() == 1024 * 1024);
  tree.reset(1);
  CHECK_FALSE(tree.full());
  CHECK(tree.nodes() == 0);
  CHECK(tree.add_node() != 0);
}
