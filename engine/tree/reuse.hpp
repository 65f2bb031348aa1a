#pragma once

#include <functional>

#include "engine/tree/tree.hpp"
#include "games/game.hpp"

/// What one search leaves for the next one of the same game (option `reuse_tree`).
namespace pitboss::engine {

/// The node of the position `target`, `plies` moves behind `node`, whose position is `position`;
/// null if the tree has none. Looks at every tried move on the way.
template <games::Game G>
[[nodiscard]] const Node* find_position(const Tree& tree, const Node& node, const G& position,
                                        const G& target, int plies) {
  if (plies == 0) return position == target ? &node : nullptr;
  if (node.moves == 0) return nullptr;
  MoveBlock& block = tree.block(node.moves);
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0) continue;
    G next = position;
    next.play(block.move()[i]);
    const Node* found = find_position(tree, tree.node(block.node()[i]), next, target, plies - 1);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// Copies all that lies behind `node` into another tree and returns the node as it is to be there.
/// What finds no room is left out, and all that is left when `is_over`, asked now and then, says
/// so. Both trees have priors, or none has. The blocks get an epoch of their own, so that they are
/// scored anew before they are used. Takes about a second for 250 MB.
[[nodiscard]] Node copy_subtree(const Tree& from, const Node& node, Tree& to, TreeWriter& writer,
                                const std::function<bool()>& is_over);

}  // namespace pitboss::engine
