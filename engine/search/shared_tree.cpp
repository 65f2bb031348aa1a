#include "engine/search/shared_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/tree/solver.hpp"

namespace pitboss::engine {

void SharedTree::reset(Tree& tree, Node& root, int threads, std::int64_t studied_at) {
  tree_ = &tree;
  root_ = &root;
  threads_ = static_cast<std::uint32_t>(threads);
  studied_at_ = studied_at;
  held_.clear();
  held_.reserve(threads_ * Leases::most);
}

Lease* SharedTree::lease_of(const Node& node) const {
  if (node.pending == 0) return nullptr;
  const auto found = std::ranges::find(held_, &node, &Held::node);
  return found == held_.end() ? nullptr : found->lease;
}

/// The visits up to which a subtree is small beside the whole tree.
std::uint32_t SharedTree::small(std::uint32_t part_of_all) const {
  return std::max(root_->visits / (part_of_all * threads_), always_small);
}

int SharedTree::portion(const Lease& lease, std::int64_t left) const {
  // A tree that is leased as a whole takes any number: there is nothing to choose above it.
  if (lease.node == root_) return static_cast<int>(std::min<std::int64_t>(always_small, left));
  const int moves = lease.edge.block->count;
  const std::int64_t own =
      lease.node->visits / std::clamp(moves, least_own_divisor, most_own_divisor);
  return static_cast<int>(
      std::max<std::int64_t>(1, std::min({own, left / rest_divisor, most_simulations})));
}

std::int64_t SharedTree::lease(Leases& leases, std::int64_t left, const TreeAccess& access,
                               GuidedWalk* walk) {
  Node* const best = find_best(leases, access, walk);
  if (best == nullptr) return 0;
  const Edge edge = leases.depth() > 0 ? leases.last_edge() : Edge{};
  std::int64_t simulations = hand_out(leases, *best, edge, left, access.selector);
  simulations += lease_siblings(leases, left, access);
  const auto visits = static_cast<std::uint32_t>(simulations);
  root_->visits += visits;
  root_->pending = static_cast<std::uint16_t>(root_->pending + visits);
  access.selector.add_virtual_visits(leases.above(), visits);
  return simulations;
}

/// Selects from the root on the node to search next; leaves the path in `leases`. Null if the node
/// is leased.
Node* SharedTree::find_best(Leases& leases, const TreeAccess& access, GuidedWalk* walk) {
  const std::uint32_t divisible = small(all_divisor);
  const std::uint32_t indivisible = small(indivisible_divisor);
  // Only estimators need the position here; else the holder finds it later, without the lock.
  Node* node = root_;
  leases.start();
  if (walk != nullptr) walk->begin(root_->visits);
  for (;;) {
    if (Lease* const other = lease_of(*node)) {
      if (node->visits > indivisible) other->wanted = true;
      return nullptr;
    }
    if (node->moves == 0) return node;
    MoveBlock& block = tree_->block(node->moves);
    // Pending visits of a node that is not leased are those of leases below it.
    const bool is_small = node->visits <= (block.divided ? indivisible : divisible);
    if (node->pending == 0 && (is_small || is_to_be_studied(block))) return node;
    const Index child =
        walk != nullptr ? walk->next_node(block) : next_free(block, leases.thread(), access);
    // No move of this node is open, or all are leased. In the first case the node can only be
    // evaluated again.
    if (child == 0) return node->pending == 0 ? node : nullptr;
    node = &tree_->node(child);
    leases.go({&block, node, block.next, {}});
    if (walk != nullptr) walk->follow(block);
  }
}

/// The node of the best move. If its subtree is elsewhere: of the moves nearly as good the best
/// that is not elsewhere, else the best that is not leased, else the best move if it is large
/// (find_best then tells its holder), else 0. MoveBlock::next is the move.
Index SharedTree::next_free(MoveBlock& block, int thread, const TreeAccess& access) {
  Selector& selector = access.selector;
  const auto next_node = [&] { return access.next_node(block); };
  const bool is_chosen = block.epoch == selector.epoch();  // else next_node scores and chooses
  Index node = next_node();
  if (node == 0 || !is_elsewhere(tree_->node(node), thread)) return node;
  if (is_chosen) {
    selector.choose(block, access.random);  // another one of equals, perhaps
    node = next_node();
    if (node == 0 || !is_elsewhere(tree_->node(node), thread)) return node;
  }

  const bool is_held = lease_of(tree_->node(node)) != nullptr;
  const bool is_large = tree_->node(node).visits > small(indivisible_divisor);
  const float near =
      least_score(block, selector, is_held && !is_large ? close_divisor : closer_divisor);
  int instead = is_held && is_large ? block.next : -1;
  bool found_free = false;
  for (int tries = 0; node != 0 && is_elsewhere(tree_->node(node), thread); ++tries) {
    if (!found_free && lease_of(tree_->node(node)) == nullptr) {
      found_free = true;
      instead = block.next;
    }
    selector.choose_next_best(block, access.random);
    const bool is_near =
        tries < most_tries && block.next >= 0 && selector.chosen_score(block) >= near;
    node = is_near ? next_node() : 0;
  }
  if (node == 0 && instead >= 0) {
    block.set_next(instead);
    node = block.next_node;
  }
  Selector::put_off_choice(block);
  return node;
}

/// Whether a subtree is leased, or mostly in another processor's cache: another thread had it last.
bool SharedTree::is_elsewhere(const Node& node, int thread) const {
  const bool is_kept =
      node.keeper != 0 && node.keeper != thread && node.visits <= small(all_divisor);
  return is_kept || lease_of(node) != nullptr;
}

/// The lowest score that is nearly as good as that of the move just chosen.
float SharedTree::least_score(MoveBlock& block, const Selector& selector, float divisor) const {
  const float best = selector.chosen_score(block);
  if (std::isinf(best)) return best;
  return best - (best - block.base()[block.next]) / divisor;
}

/// Leases the best siblings of the first lease that are free, until all together are worthwhile or
/// have a 24th of their position's visits, or the first one comes again. Returns the number of
/// their simulations: 0 with estimators, whose choice no pass over the moves tells.
std::int64_t SharedTree::lease_siblings(Leases& leases, std::int64_t left,
                                        const TreeAccess& access) {
  Selector& selector = access.selector;
  const Lease& first = leases[0];
  if (first.node == root_ || !selector.chooses()) return 0;
  MoveBlock& block = *first.edge.block;
  if (block.count <= few_moves) return 0;
  const std::int64_t all = std::min<std::int64_t>(block.visits / most_own_divisor, worthwhile);
  const std::int64_t most = std::min(all, left / rest_divisor) - first.simulations;
  if (most <= 0) return 0;
  std::int64_t simulations = 0;
  selector.choose(block, access.random);
  const float nearly_as_good = least_score(block, selector, close_divisor);
  float least = -std::numeric_limits<float>::infinity();
  for (int tries = 0; tries < most_tries && simulations < most; ++tries) {
    if (tries > 0) selector.choose_next_best(block, access.random);
    if (block.next < 0 || selector.chosen_score(block) < least) break;
    const Index child = access.next_node(block);
    if (child == 0 || leases.size() == Leases::most) break;
    Node& node = tree_->node(child);
    if (&node == first.node || node.visits > always_small) break;
    if (node.pending != 0) {  // leased
      least = nearly_as_good;
      continue;
    }
    const Edge edge{&block, &node, block.next, {}};
    simulations += hand_out(leases, node, edge, left, selector);
  }
  Selector::put_off_choice(block);
  return simulations;
}

/// Leases the node. Returns the number of simulations, which are counted at the node (not at the
/// root) and in its block, but no further up.
int SharedTree::hand_out(Leases& leases, Node& node, const Edge& edge, std::int64_t left,
                         Selector& selector) {
  Lease& lease = leases.add();
  node.keeper = leases.thread() & 0x7fU;  // seven bits hold every number
  lease.node = &node;
  lease.edge = edge;
  lease.proof = Proof::none;
  lease.samples = {};
  lease.simulations = portion(lease, left);
  lease.wanted = false;
  held_.push_back({&node, &lease});
  if (&node != root_)
    selector.add_virtual_visits(edge, static_cast<std::uint32_t>(lease.simulations));
  return lease.simulations;
}

void SharedTree::Returned::add(const Lease& lease) {
  given += static_cast<std::uint32_t>(lease.simulations);
  missing += static_cast<std::uint32_t>(lease.simulations) - lease.samples[0].count;
  for (std::size_t c = 0; c < samples.size(); ++c) samples[c].add(lease.samples[c]);
}

void SharedTree::give_back(Leases& leases, const TreeAccess& access) {
  Selector& selector = access.selector;
  Returned all;
  for (const Lease& lease : leases) {
    std::erase_if(held_, [&](const Held& held) { return held.lease == &lease; });
    if (lease.wanted && lease.node->moves != 0) {
      tree_->block(lease.node->moves).divided = true;
      lease.node->keeper = 0;  // from now on its parts have keepers
    }
    Returned own;
    own.add(lease);
    all.add(lease);
    if (lease.node != root_) selector.complete(lease.edge, own.given, own.samples);
  }
  root_->visits -= all.missing;
  root_->pending = static_cast<std::uint16_t>(root_->pending - all.given);
  selector.complete(leases.above(), all.given, all.samples);
  for (const Lease& lease : leases) {
    if (lease.proof == Proof::none) continue;
    prove(access, leases.path_to(lease), root_->proof, lease.proof);
  }
  leases.clear();
}

}  // namespace pitboss::engine
