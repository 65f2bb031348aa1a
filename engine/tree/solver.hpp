#pragma once

#include <span>

#include "engine/tree/selector.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

/// MCTS-Solver (Winands, Bjornsson, Saito 2008): results that are sure are noted in the tree. A
/// move that is proven to lose is closed, a position that is proven is not searched on. For any
/// number of players: a position is won by a colour if it is to move and has a move that leads to
/// its win, or if all moves lead to that colour's win. Draws are not proven.
namespace pitboss::engine {

/// What is sure of a move for the colour that makes it: 1 a win, -1 that another wins, else 0.
[[nodiscard]] inline int certainty(const Node& node, games::Colour mover) {
  return node.proof == won_by(mover) ? 1 : node.proof != Proof::none ? -1 : 0;
}

/// Notes who wins the position at the end of `path`, and what follows for those before; `top` is
/// what is known of the position where the path begins. The outcome must have been backed up
/// before.
void prove(const TreeAccess& access, std::span<const Step> path, Proof& top, Proof proof);

/// Who wins a position all of whose moves are in the block, if every move leads to the win of one
/// and the same colour; none if one is unknown.
[[nodiscard]] Proof common_winner(const Tree& tree, MoveBlock& block);

/// Notes which open moves of a position end the game at once, and returns what that proves of the
/// position itself. A move for which there is no room stays unknown.
template <games::Game G>
[[nodiscard]] Proof prove_ends(const TreeAccess& access, const G& position, MoveBlock& block) {
  Tree& tree = access.tree;
  Proof known = Proof::none;
  bool found = false;
  for (int i = 0; i < block.count && known == Proof::none; ++i) {
    if (block.node()[i] != 0 || Selector::is_closed(block, i)) continue;
    G next = position;
    next.play(block.move()[i]);
    const Proof proof = proof_of(next.result());
    const Index child = proof == Proof::none ? 0 : access.writer.add_node();
    if (child == 0) continue;
    tree.node(child) = Selector::untried();
    tree.node(child).proof = proof;
    block.node()[i] = child;
    if (proof == won_by(position.to_move())) {
      known = proof;
    } else {
      tree.node(child).lost = true;
      Selector::close(block, i);
    }
    found = true;
  }
  if (!found) return Proof::none;
  access.selector.choose(block, access.random);
  return known != Proof::none ? known : common_winner(tree, block);
}

}  // namespace pitboss::engine
