#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/evaluator.hpp"
#include "engine/selector.hpp"
#include "engine/tree.hpp"

namespace pitboss::engine {

/// A part of the tree that belongs to one thread for some simulations: a node and all behind it.
template <games::Game G>
struct Lease {
  G position;  ///< at the node
  Node* node;
  int simulations;         ///< that the thread is to make
  std::vector<Step> path;  ///< from the root to the node
  /// What they have brought, to be filled in by the thread. By colour; the counts say how many have
  /// been made.
  std::array<Samples, G::players> samples;
};

/// The upper part of a tree that several threads search: it hands out the subtrees below.
///
/// Threads that share every node of a tree spend longer on passing its cache lines around than on a
/// whole simulation. So each thread gets a subtree for itself, a small one beside the whole tree,
/// makes as many simulations in it as change little in the choice above it, and brings the sums
/// back. Which moves they choose in there does not depend on the nodes above, as always in UCT.
/// Visits count on the way down, when the subtree is handed out: that, and the closing of the
/// subtree to others, keeps threads apart (virtual loss; Chaslot, Winands, van den Herik 2008;
/// counting unobserved visits without a loss: Liu et al. 2020).
///
/// Not thread-safe: the searcher locks. Between `lease` and `give_back` nobody but the holder may
/// touch what lies behind the leased node; the rest is the trunk's.
template <games::Game G>
class Trunk {
 public:
  /// `root`'s moves must be a block, unless the tree has no room.
  void reset(Tree& tree, const G& position, Node& root, int threads);

  /// A subtree to search, with at most `most` simulations; none while everything that could be
  /// searched is leased. `selector` and `writer` are the caller's.
  [[nodiscard]] bool lease(Lease<G>& lease, std::int64_t most, Selector& selector,
                           TreeWriter& writer, games::Random& random);
  /// Takes a subtree back and counts its samples.
  void give_back(Lease<G>& lease, Selector& selector, games::Random& random);

 private:
  // A leased subtree has at most this part of all visits, divided by the threads, ...
  static constexpr std::uint32_t part_of_all = 4;
  static constexpr std::uint32_t always_small = 32;
  // ... and gets at most that part of its visits anew before the choice above it is made again.
  static constexpr std::uint32_t part_of_own = 4;
  static constexpr std::uint32_t most_simulations = 256;

  void close(Lease<G>& lease, Selector& selector, games::Random& random);

  Tree* tree_ = nullptr;
  const G* position_ = nullptr;
  Node* root_ = nullptr;
  std::uint32_t threads_ = 1;
  bool root_leased_ = false;
};

template <games::Game G>
void Trunk<G>::reset(Tree& tree, const G& position, Node& root, int threads) {
  tree_ = &tree;
  position_ = &position;
  root_ = &root;
  threads_ = static_cast<std::uint32_t>(threads);
  root_leased_ = false;
}

template <games::Game G>
bool Trunk<G>::lease(Lease<G>& lease, std::int64_t most, Selector& selector, TreeWriter& writer,
                     games::Random& random) {
  if (root_leased_) return false;
  const std::uint32_t small = std::max(root_->visits / (part_of_all * threads_), always_small);
  lease.position = *position_;
  lease.node = root_;
  lease.path.clear();
  while (lease.node->visits > small && lease.node->moves != 0) {
    MoveBlock& block = tree_->block(lease.node->moves);
    if (block.epoch != selector.epoch()) selector.renew(*tree_, block);
    const Index child = selector.next_node(*tree_, block, writer, random);
    if (child == 0) {
      if (block.leased > 0) return false;
      break;  // no room behind this node: it can only be evaluated again
    }
    lease.node = &tree_->node(child);
    lease.path.push_back({&block, lease.node, block.next, lease.position.to_move()});
    lease.position.play(block.move()[block.next]);
  }
  // A tree that is leased as a whole takes any number: there is nothing to choose above it.
  const std::uint32_t count = lease.path.empty() ? always_small : lease.node->visits / part_of_own;
  const std::uint32_t allowed = std::clamp(count, 1U, most_simulations);
  lease.simulations = static_cast<int>(std::min<std::int64_t>(allowed, most));
  close(lease, selector, random);
  return true;
}

/// Counts the visits that are to come and closes the way to the leased node.
template <games::Game G>
void Trunk<G>::close(Lease<G>& lease, Selector& selector, games::Random& random) {
  const auto count = static_cast<std::uint32_t>(lease.simulations);
  root_->visits += count;
  root_->pending += count;
  root_leased_ = lease.path.empty();
  bool closes = true;  // a node is closed to others when it is leased or all behind it is
  for (auto step = lease.path.rbegin(); step != lease.path.rend(); ++step) {
    MoveBlock& block = *step->block;
    step->node->visits += count;
    step->node->pending += count;
    block.visits += count;
    if (closes) {
      Selector::close(block, step->move);
      ++block.leased;
    } else {
      selector.refresh(block, step->move, *step->node);
    }
    selector.choose(block, random);
    closes = block.next < 0;
  }
}

template <games::Game G>
void Trunk<G>::give_back(Lease<G>& lease, Selector& selector, games::Random& random) {
  const auto count = static_cast<std::uint32_t>(lease.simulations);
  const std::uint32_t missing = count - lease.samples[0].count;
  root_->visits -= missing;
  root_->pending -= count;
  root_leased_ = false;
  for (auto step = lease.path.rbegin(); step != lease.path.rend(); ++step) {
    MoveBlock& block = *step->block;
    step->node->visits -= missing;
    step->node->pending -= count;
    block.visits -= missing;
    selector.settle(*step->node, lease.samples[games::index(step->mover)]);
    if (Selector::is_closed(block, step->move)) --block.leased;
    selector.refresh(block, step->move, *step->node);
    if (block.epoch == selector.epoch()) {
      selector.choose(block, random);
    } else {
      selector.renew(*tree_, block);
    }
  }
}

}  // namespace pitboss::engine
