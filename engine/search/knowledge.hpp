#pragma once

#include "engine/exact/hex_knowledge.hpp"
#include "engine/tree/selector.hpp"
#include "engine/tree/solver.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"
#include "games/hex.hpp"

/// The option `knowledge`: what is known of a position without search closes moves of its node, and
/// may prove who wins (hex: B. Arneson, R. Hayward, P. Henderson, "Monte Carlo tree search in Hex",
/// 2010).
namespace pitboss::engine {

/// What is known without search of positions of a game: of most games nothing.
template <games::Game G>
class Knowledge {};
template <>
class Knowledge<games::Hex> : public HexKnowledge {};

template <class G>
concept HasKnowledge = requires(Knowledge<G>& knowledge, const G& position) {
  knowledge.look(position);
};

/// Closes the moves of a position that need not be tried, and records a winning one if it is known.
/// Returns what this proves of the position. A move whose node finds no room stays as it is.
template <HasKnowledge G>
[[nodiscard]] Proof study(const TreeAccess& access, Knowledge<G>& knowledge, const G& position,
                          MoveBlock& block) {
  block.is_studied = true;
  const games::Colour mover = position.to_move();
  const auto verdict = knowledge.look(position);
  for (int i = 0; i < block.count; ++i) {
    const MoveWorth worth = verdict.worth(block.move()[i]);
    if (worth == MoveWorth::open) continue;
    if (block.node()[i] == 0) {
      const Index fresh = access.writer.add_node();
      if (fresh == 0) continue;
      access.tree.node(fresh) = Selector::untried(access.selector.virtual_value());
      block.node()[i] = fresh;
      if (block.next == i) block.next_node = fresh;
    }
    Node& node = access.tree.node(block.node()[i]);
    if (worth == MoveWorth::winning) {
      node.proof = won_by(mover);
      continue;
    }
    if (worth == MoveWorth::losing) node.proof = won_by(opponent(mover));
    node.closed = true;
    Selector::close(block, i);
  }
  if (verdict.winner) return won_by(*verdict.winner);
  if (block.next < 0 || Selector::is_closed(block, block.next)) {
    access.selector.choose(block, access.random);
  }
  return common_winner(access.tree, block);
}

}  // namespace pitboss::engine
