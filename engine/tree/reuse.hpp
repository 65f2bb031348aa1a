#pragma once

#include <functional>

#include "engine/tree/tree.hpp"
#include "games/game.hpp"

/// Reuse of a search's tree by the next search of the same game (option `reuse_tree`).
namespace pitboss::engine {

/// The node of the position `target`, `plies` moves below `node`, the node of `position`; null if
/// the tree has none. Looks at every move that has a node.
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

/// Copies the subtree below `node` into the tree `to` and returns the node for that tree. Leaves
/// out nodes that find no room, and all remaining ones once `is_over`, asked every 256 blocks, is
/// true. Both trees must have priors, or neither. Copied blocks get an epoch that no search has, so
/// that they are scored anew before use. Takes about a second for 250 MB.
[[nodiscard]] Node copy_subtree(const Tree& from, const Node& node, Tree& to, TreeWriter& writer,
                                const std::function<bool()>& is_over);

}  // namespace pitboss::engine
