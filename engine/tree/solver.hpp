#pragma once

#include <span>

#include "engine/tree/selector.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

/// MCTS-Solver (Winands, Bjornsson, Saito 2008): records proven wins in the tree. A move that is
/// proven to lose is closed, and a proven position is not searched further. For any number of
/// players: a colour wins a position if it is to move and one of its moves leads to its win, or if
/// all moves lead to its win. Draws are not proven.
namespace pitboss::engine {

/// The proof of a move, seen by its mover: 1 a win, -1 another colour's win, 0 none.
[[nodiscard]] inline int certainty(const Node& node, games::Colour mover) {
  return node.proof == won_by(mover) ? 1 : node.proof != Proof::none ? -1 : 0;
}

/// Records `proof` for the position at the end of `path`, and its consequences for the positions
/// before it; `top` is the proof of the position where the path begins. The simulation's result
/// must have been backed up before.
void prove(const TreeAccess& access, std::span<const Edge> path, Proof& top, Proof proof);

/// The colour to whose win every move of the block leads, but those that others are as good as;
/// none if they differ or one is not proven.
[[nodiscard]] Proof common_winner(const Tree& tree, MoveBlock& block);

/// Records the winners of open moves that end the game, and returns what these prove of the
/// position. A move whose node finds no room stays unproven.
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
    tree.node(child) = Selector::untried(access.selector.virtual_value());
    tree.node(child).proof = proof;
    block.node()[i] = child;
    if (proof == won_by(position.to_move())) {
      known = proof;
    } else {
      tree.node(child).closed = true;
      Selector::close(block, i);
    }
    found = true;
  }
  if (!found) return Proof::none;
  // With priors the likeliest move stays first, unless it is known to lose.
  if (!block.has_priors || Selector::is_closed(block, block.next)) {
    access.selector.choose(block, access.random);
  }
  return known != Proof::none ? known : common_winner(tree, block);
}

}  // namespace pitboss::engine
