#include "engine/tree/reuse.hpp"

#include <cstring>
#include <vector>

namespace pitboss::engine {

namespace {

constexpr std::uint32_t no_epoch = ~std::uint32_t{0};  // above every epoch of a search

/// Copies a block, still with the other tree's node indices; 0 if there is no room.
Index copy_block(MoveBlock& block, Tree& to, TreeWriter& writer) {
  const Index index = writer.add_block(block.count);
  if (index == 0) return 0;
  MoveBlock& copy = to.block(index);
  std::memcpy(&copy, &block, MoveBlock::bytes(block.padded, block.has_priors));
  copy.epoch = no_epoch;
  copy.divided = false;
  copy.is_studied = false;  // a move may have lost its node, and is open
  return index;
}

}  // namespace

Node copy_subtree(const Tree& from, const Node& node, Tree& to, TreeWriter& writer,
                  const std::function<bool()>& is_over) {
  constexpr int blocks_per_look = 256;
  Node root = node;
  std::vector<MoveBlock*> unfinished;  // copies that still have node indices of `from`
  const auto copy_moves = [&](Node& of) {
    if (of.moves == 0) return;
    of.moves = copy_block(from.block(of.moves), to, writer);
    if (of.moves != 0) unfinished.push_back(&to.block(of.moves));
  };
  copy_moves(root);
  bool over = false;
  for (int blocks = 1; !unfinished.empty(); ++blocks) {
    over = over || (blocks % blocks_per_look == 0 && is_over());
    MoveBlock& block = *unfinished.back();
    unfinished.pop_back();
    for (int i = 0; i < block.count; ++i) {
      const Index old = block.node()[i];
      const Index copy = old == 0 || over ? 0 : writer.add_node();
      // Opens a move unless it was closed for good.
      if (copy == 0 || !from.node(old).closed) block.base()[i] = 0;
      block.node()[i] = copy;
      if (copy == 0) continue;
      to.node(copy) = from.node(old);
      to.node(copy).keeper = 0;  // the subtree is in the copying thread's cache
      copy_moves(to.node(copy));
    }
  }
  return root;
}

}  // namespace pitboss::engine
