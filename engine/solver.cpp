#include "engine/solver.hpp"

namespace pitboss::engine {

Proof common_winner(const Tree& tree, MoveBlock& block) {
  Proof common = Proof::none;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) return Proof::none;
    const Node& node = tree.node(block.node()[i]);
    if (node.pending != 0 || node.proof == Proof::none) return Proof::none;
    if (i > 0 && node.proof != common) return Proof::none;
    common = node.proof;
  }
  return common;
}

void prove(Tree& tree, std::span<const Step> path, Node& top, Proof proof, Selector& selector,
           games::Random& random) {
  for (std::size_t length = path.size(); proof != Proof::none; --length) {
    Node& node = length == 0 ? top : *path[length - 1].node;
    node.proof = proof;
    if (length == 0) return;
    const Step& step = path[length - 1];
    if (proof == won_by(step.mover)) continue;  // who could play this move has won before it
    node.lost = true;
    Selector::close(*step.block, step.move);
    selector.choose(*step.block, random);
    proof = common_winner(tree, *step.block);
  }
}

}  // namespace pitboss::engine
