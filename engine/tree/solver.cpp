#include "engine/tree/solver.hpp"

namespace pitboss::engine {

Proof common_winner(const Tree& tree, MoveBlock& block) {
  Proof common = Proof::none;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) return Proof::none;
    const Node& node = tree.node(block.node()[i]);
    if (node.proof == Proof::none) {
      if (node.closed) continue;
      return Proof::none;
    }
    if (common != Proof::none && node.proof != common) return Proof::none;
    common = node.proof;
  }
  return common;
}

void prove(const TreeAccess& access, std::span<const Edge> path, Proof& top, Proof proof) {
  for (; !path.empty() && proof != Proof::none; path = path.first(path.size() - 1)) {
    const Edge& edge = path.back();
    edge.node->proof = proof;
    if (proof == won_by(edge.mover)) continue;  // the mover wins the position before, too
    edge.node->closed = true;
    Selector::close(*edge.block, edge.move);
    access.selector.choose(*edge.block, access.random);
    proof = common_winner(access.tree, *edge.block);
  }
  if (proof != Proof::none) top = proof;
}

}  // namespace pitboss::engine
