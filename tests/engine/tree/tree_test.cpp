#include "engine/tree/tree.hpp"

#include <doctest/doctest.h>

#include <array>
#include <thread>
#include <vector>

#include "engine/tree/selector.hpp"

using namespace pitboss;
using namespace pitboss::engine;

TEST_CASE("Tree: nodes and blocks do not overlap") {
  Tree tree;
  tree.reset(1);
  TreeWriter writer;
  writer.reset(tree);
  const Index a = writer.add_node();
  const Index block = writer.add_block(13);
  const Index b = writer.add_node();
  tree.node(a) = Node{0.25, 0.5, 7, 1, 0, 0, Proof::none, false, 0};
  tree.node(b) = Node{0.75, 0.5, 9, 1, 0, 0, Proof::none, false, 0};
  MoveBlock& moves = tree.block(block);
  CHECK(moves.count == 13);
  CHECK(moves.padded == 16);
  for (int i = 0; i < moves.padded; ++i) {
    moves.base()[i] = 1;
    moves.variance()[i] = 2;
    moves.inverse_root()[i] = 3;
    moves.node()[i] = 4;
    moves.move()[i] = games::Move{5};
  }
  CHECK(tree.node(a).visits == 7);
  CHECK(tree.node(b).visits == 9);
  CHECK(moves.base()[15] == 1);
  CHECK(moves.node()[15] == 4);
  CHECK(writer.nodes() == 2);
}

TEST_CASE("Tree: full means no more, and says so until the next reset") {
  constexpr std::size_t units = 1024 * 1024 / Tree::unit;
  Tree tree;
  tree.reset(1);
  TreeWriter writer;
  writer.reset(tree);
  std::int64_t blocks = 0;
  while (writer.add_block(361) != 0) ++blocks;
  CHECK(blocks > 100);
  CHECK(tree.full());
  while (writer.add_node() != 0) {
  }
  CHECK(tree.units() == units);
  CHECK(writer.spare() == 0);
  tree.reset(1);
  writer.reset(tree);
  CHECK_FALSE(tree.full());
  CHECK(writer.nodes() == 0);
  CHECK(writer.add_node() != 0);
}

TEST_CASE("Tree: what several threads write lies apart") {
  Tree tree;
  tree.reset(8);
  std::array<std::vector<Index>, 3> nodes;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < nodes.size(); ++t) {
      threads.emplace_back([&, t] {
        TreeWriter writer;
        writer.reset(tree);
        for (std::uint16_t i = 0; i < 20000; ++i) {
          const Index node = writer.add_node();
          tree.node(node) = Selector::untried();
          tree.node(node).visits = t;
          tree.node(node).pending = i;
          nodes[t].push_back(node);
          if (i % 7 == 0) tree.block(writer.add_block(7)).visits = ~0U;
        }
      });
    }
  }
  for (std::uint32_t t = 0; t < nodes.size(); ++t) {
    for (std::uint32_t i = 0; i < nodes[t].size(); ++i) {
      REQUIRE(tree.node(nodes[t][i]).visits == t);
      REQUIRE(tree.node(nodes[t][i]).pending == i);
    }
  }
}
