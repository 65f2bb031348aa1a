#include "engine/tree/solver.hpp"

namespace pitboss::engine {

Proof common_winner(const Tree& tree, MoveBlock& block) {
  Proof common = Proof::none;
  for (int i = 0; i < block.count; ++i) {
    const Proof proof = block.node()[i] == 0 ? Proof::none : tree.node(block.node()[i]).proof;
    if (proof == Proof::none || (i > 0 && proof != common)) return Proof::none;
    common = proof;
  }
  return common;
}

void prove(const TreeAccess& access, std::span<const Edge> path, Proof& top, Proof proof) {
  for (; !path.empty() && proof != Proof::none; path = path.first(path.size() - 1)) {
    const Edge& edge = path.back();
    edge.node->proof = proof;
    if (proof == won_by(edge.mover)) continue;  // the mover wins the position before, too
    edge.node->lost = true;
    Selector::close(*edge.block, edge.move);
    access.selector.choose(*edge.block, access.random);
    proof = common_winner(access.tree, *edge.block);
  }
  if (proof != Proof::none) top = proof;
}

}  // namespace pitboss::engine
