#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "engine/drivers/leases.hpp"
#include "engine/simulation/simulator.hpp"
#include "engine/tree/tree.hpp"

namespace pitboss::engine {

/// The upper part of a tree that several threads search: it hands out the subtrees below.
///
/// To pass two or three cache lines from one processor to another takes as long as a whole
/// simulation (docs/performance.md). So each thread gets a subtree for itself, makes as many
/// simulations in it as change little in the choice above it, and brings the sums back. Which moves
/// they choose in there does not depend on the nodes above, as always in UCT (with estimators it
/// does, on what the thread's own tables know). Visits count on the way down, when the subtree is
/// handed out, so that the next thread sees what the node's bound will be when it comes back
/// (virtual loss without the loss: Liu et al. 2020, "Watch the unobserved"). If it wants the same
/// subtree all the same, it gets a move beside it that is nearly as good. If there is none and the
/// subtree is large, then everybody wants it: from then on its parts are handed out. If it is
/// small, its holder comes back soon. A subtree that another thread had last is another processor's
/// to read first, so that a thread rather takes up what it had itself, of what is as good.
///
/// Where there are many moves each has few visits, so that its subtree is handed out for a
/// simulation or two, and the way to it takes as long as they do. There a thread gets the subtrees
/// of several moves at once: beside the first the best ones of one more choice.
///
/// Not thread-safe: the searcher locks. Between `lease` and `give_back` nobody but the holder may
/// touch what lies behind the leased node; the rest is the trunk's.
template <games::Game G>
class Trunk {
 public:
  /// `root`'s moves must be a block, unless the tree has no room.
  void reset(Tree& tree, const G& position, Node& root, int threads);

  /// One subtree or several to search, for a thread that holds none and is to find their positions
  /// next (Leases). `left` is the number of simulations, 1 or more, that are still to be handed
  /// out; the answer is how many have been. 0 if all that is worth searching is leased; to be tried
  /// again soon. `simulator` is the caller's.
  [[nodiscard]] std::int64_t lease(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator);
  /// Whether a thread has what lies behind the node.
  [[nodiscard]] bool is_leased(const Node& node) const { return holder(node) != nullptr; }
  /// Takes all of a thread's subtrees back and counts their samples.
  void give_back(Leases<G>& leases, Simulator<G>& simulator);

 private:
  // A leased subtree has at most a fourth of all visits, divided by the threads. One with no more
  // than a 64th is not divided further: its holder comes back soon.
  static constexpr std::uint32_t all_divisor = 4;
  static constexpr std::uint32_t indivisible_divisor = 64;
  static constexpr std::uint32_t always_small = 256;
  // It gets at most an eighth of its visits anew before the choice above it is made again, a 24th
  // where there are many moves to choose between, which then are close to each other; and at
  // most a 32nd of what is left: in the end every thread chooses as often as one alone would.
  static constexpr int least_own_divisor = 8;
  static constexpr int most_own_divisor = 24;
  static constexpr std::int64_t rest_divisor = 32;
  static constexpr std::int64_t most_simulations = 256;
  // Less than that is not worth the way: subtrees beside it are handed out with it, where there are
  // more moves than `few_moves`.
  static constexpr std::int64_t worthwhile = 8;
  static constexpr int few_moves = 16;
  // How many moves beside the best one are looked at in place of one that somebody has. They must
  // not be worse than it by more than half of what exploration adds to it, and by more than a
  // twelfth in place of one that is large or that somebody had: else what is searched would be
  // another choice than that of one thread.
  static constexpr int most_tries = 16;
  static constexpr float close_divisor = 2;
  static constexpr float closer_divisor = 12;
  // Who had smaller subtrees does not matter.
  static constexpr std::uint32_t worth_keeping = 64;

  /// A subtree that is handed out. What the holder writes is not looked at.
  struct Held {
    const Node* node;
    Lease<G>* lease;
  };

  /// What some leases of one thread have brought together.
  struct Returned {
    std::uint32_t given = 0;    ///< simulations
    std::uint32_t missing = 0;  ///< of them, not made
    std::array<Samples, G::players> samples{};
    void add(const Lease<G>& lease);
  };

  [[nodiscard]] Lease<G>* holder(const Node& node) const;
  [[nodiscard]] std::uint32_t small(std::uint32_t part_of_all) const;
  [[nodiscard]] int portion(const Lease<G>& lease, std::int64_t left) const;
  [[nodiscard]] Node* find_best(Leases<G>& leases, Simulator<G>& simulator);
  [[nodiscard]] Index next_free(MoveBlock& block, int thread, Simulator<G>& simulator);
  [[nodiscard]] bool is_elsewhere(const Node& node, int thread) const;
  [[nodiscard]] float least_score(MoveBlock& block, const Selector& selector, float divisor) const;
  std::int64_t lease_siblings(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator);
  [[nodiscard]] int hand_out(Leases<G>& leases, Node& node, const Step& step, std::int64_t left,
                             Selector& selector);
  void count(const Step& step, std::uint32_t visits, Selector& selector);
  void settle(const Step& step, const Returned& returned, Selector& selector);

  Tree* tree_ = nullptr;
  const G* position_ = nullptr;
  Node* root_ = nullptr;
  std::uint32_t threads_ = 1;
  std::vector<Held> held_;
};

template <games::Game G>
void Trunk<G>::reset(Tree& tree, const G& position, Node& root, int threads) {
  tree_ = &tree;
  position_ = &position;
  root_ = &root;
  threads_ = static_cast<std::uint32_t>(threads);
  held_.clear();
  held_.reserve(threads_ * Leases<G>::most);
}

template <games::Game G>
Lease<G>* Trunk<G>::holder(const Node& node) const {
  if (node.pending == 0) return nullptr;
  const auto found = std::ranges::find(held_, &node, &Held::node);
  return found == held_.end() ? nullptr : found->lease;
}

/// The visits up to which a subtree is small beside the whole tree.
template <games::Game G>
std::uint32_t Trunk<G>::small(std::uint32_t part_of_all) const {
  return std::max(root_->visits / (part_of_all * threads_), always_small);
}

template <games::Game G>
int Trunk<G>::portion(const Lease<G>& lease, std::int64_t left) const {
  // A tree that is leased as a whole takes any number: there is nothing to choose above it.
  if (lease.node == root_) return static_cast<int>(std::min<std::int64_t>(always_small, left));
  const int moves = lease.step.block->count;
  const std::int64_t own =
      lease.node->visits / std::clamp(moves, least_own_divisor, most_own_divisor);
  return static_cast<int>(
      std::max<std::int64_t>(1, std::min({own, left / rest_divisor, most_simulations})));
}

template <games::Game G>
std::int64_t Trunk<G>::lease(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator) {
  Node* const best = find_best(leases, simulator);
  if (best == nullptr) return 0;
  Selector& selector = simulator.selector();
  const Step step = leases.depth() > 0 ? leases.last_step() : Step{};
  std::int64_t simulations = hand_out(leases, *best, step, left, selector);
  simulations += lease_siblings(leases, left, simulator);
  const auto visits = static_cast<std::uint32_t>(simulations);
  root_->visits += visits;
  root_->pending = static_cast<std::uint16_t>(root_->pending + visits);
  for (const Step& above : leases.above()) count(above, visits, selector);
  return simulations;
}

/// Goes from the root to the node that is to be searched next; leaves the way there in `leases`.
/// Null if somebody has it.
template <games::Game G>
Node* Trunk<G>::find_best(Leases<G>& leases, Simulator<G>& simulator) {
  const std::uint32_t divisible = small(all_divisor);
  const std::uint32_t indivisible = small(indivisible_divisor);
  // Estimators alone choose by the position; else the holder finds it, while the trunk is free.
  std::optional<G> position;
  if (!simulator.selector().chooses()) position = *position_;
  Node* node = root_;
  leases.start();
  simulator.begin_at_root(root_->visits);
  for (;;) {
    if (Lease<G>* const other = holder(*node)) {
      if (node->visits > indivisible) other->wanted = true;
      return nullptr;
    }
    if (node->moves == 0) return node;
    MoveBlock& block = tree_->block(node->moves);
    // Pending visits of a node that nobody holds are those of a lease behind it.
    const bool is_small = node->visits <= (block.divided ? indivisible : divisible);
    if (is_small && node->pending == 0) return node;
    const Index child = position ? simulator.next_node(*position, block)
                                 : next_free(block, leases.thread(), simulator);
    // Nothing behind this node is open, or all of it is somebody's. In the first case it can only
    // be evaluated again.
    if (child == 0) return node->pending == 0 ? node : nullptr;
    node = &tree_->node(child);
    leases.go({&block, node, block.next, {}});
    if (!position) continue;
    simulator.follow(*position, block);
    position->play(block.move()[block.next]);
  }
}

/// The node of the best move; if somebody has that one or had it last, of those that are nearly as
/// good the best that this thread or nobody had, else the best that nobody has; else the best move
/// if it is large (its holder will be told), else 0. MoveBlock::next is the move.
template <games::Game G>
Index Trunk<G>::next_free(MoveBlock& block, int thread, Simulator<G>& simulator) {
  Selector& selector = simulator.selector();
  const auto next_node = [&] {
    return selector.next_node(*tree_, block, simulator.writer(), simulator.random());
  };
  const bool is_chosen = block.epoch == selector.epoch();  // else it is now, which leaves scores
  Index node = next_node();
  if (node == 0 || !is_elsewhere(tree_->node(node), thread)) return node;
  if (is_chosen) {
    selector.choose(block, simulator.random());  // another one of equals, perhaps
    node = next_node();
    if (node == 0 || !is_elsewhere(tree_->node(node), thread)) return node;
  }

  const bool is_held = holder(tree_->node(node)) != nullptr;
  const bool is_large = tree_->node(node).visits > small(indivisible_divisor);
  const float near =
      least_score(block, selector, is_held && !is_large ? close_divisor : closer_divisor);
  int instead = is_held && is_large ? block.next : -1;
  bool found_free = false;
  for (int tries = 0; node != 0 && is_elsewhere(tree_->node(node), thread); ++tries) {
    if (!found_free && holder(tree_->node(node)) == nullptr) {
      found_free = true;
      instead = block.next;
    }
    selector.choose_next_best(block, simulator.random());
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

/// Whether what lies behind the node is another thread's or, mostly, in another processor's cache.
template <games::Game G>
bool Trunk<G>::is_elsewhere(const Node& node, int thread) const {
  const bool is_kept = node.keeper != 0 && node.keeper != thread && node.visits > worth_keeping &&
                       node.visits <= small(all_divisor);
  return is_kept || holder(node) != nullptr;
}

/// The score of a move that is nearly as good as the one that `choose` has just chosen.
template <games::Game G>
float Trunk<G>::least_score(MoveBlock& block, const Selector& selector, float divisor) const {
  const float best = selector.chosen_score(block);
  if (std::isinf(best)) return best;
  return best - (best - block.base()[block.next]) / divisor;
}

/// Adds the best moves beside the first lease's own that nobody has, until all together are
/// worthwhile or a 24th of the visits of their position has gone out, or the first one comes again.
/// Returns the number of their simulations. Estimators choose by what no pass over the moves tells:
/// nothing for them.
template <games::Game G>
std::int64_t Trunk<G>::lease_siblings(Leases<G>& leases, std::int64_t left,
                                      Simulator<G>& simulator) {
  Selector& selector = simulator.selector();
  const Lease<G>& first = leases[0];
  if (first.node == root_ || !selector.chooses()) return 0;
  MoveBlock& block = *first.step.block;
  if (block.count <= few_moves) return 0;
  const std::int64_t all = std::min<std::int64_t>(block.visits / most_own_divisor, worthwhile);
  const std::int64_t most = std::min(all, left / rest_divisor) - first.simulations;
  if (most <= 0) return 0;
  std::int64_t simulations = 0;
  selector.choose(block, simulator.random());
  const float nearly_as_good = least_score(block, selector, close_divisor);
  float least = -std::numeric_limits<float>::infinity();
  for (int tries = 0; tries < most_tries && simulations < most; ++tries) {
    if (tries > 0) selector.choose_next_best(block, simulator.random());
    if (block.next < 0 || selector.chosen_score(block) < least) break;
    const Index child = selector.next_node(*tree_, block, simulator.writer(), simulator.random());
    if (child == 0 || leases.size() == Leases<G>::most) break;
    Node& node = tree_->node(child);
    if (&node == first.node || node.visits > always_small) break;
    if (node.pending != 0) {  // somebody's
      least = nearly_as_good;
      continue;
    }
    const Step step{&block, &node, block.next, {}};
    simulations += hand_out(leases, node, step, left, selector);
  }
  Selector::put_off_choice(block);
  return simulations;
}

/// Returns the number of simulations, which are counted at the node (not at the root) and in its
/// block, but no further up.
template <games::Game G>
int Trunk<G>::hand_out(Leases<G>& leases, Node& node, const Step& step, std::int64_t left,
                       Selector& selector) {
  Lease<G>& lease = leases.add();
  node.keeper = leases.thread() & 0x7fU;  // seven bits hold every number
  lease.node = &node;
  lease.step = step;
  lease.proof = Proof::none;
  lease.samples = {};
  lease.simulations = portion(lease, left);
  lease.wanted = false;
  held_.push_back({&node, &lease});
  if (&node != root_) count(step, static_cast<std::uint32_t>(lease.simulations), selector);
  return lease.simulations;
}

/// Visits that are handed out through a move.
template <games::Game G>
void Trunk<G>::count(const Step& step, std::uint32_t visits, Selector& selector) {
  step.node->visits += visits;
  step.node->pending = static_cast<std::uint16_t>(step.node->pending + visits);
  step.block->visits += visits;
  selector.refresh(*step.block, step.move, *step.node);
  Selector::put_off_choice(*step.block);
}

template <games::Game G>
void Trunk<G>::Returned::add(const Lease<G>& lease) {
  given += static_cast<std::uint32_t>(lease.simulations);
  missing += static_cast<std::uint32_t>(lease.simulations) - lease.samples[0].count;
  for (int c = 0; c < G::players; ++c) samples[c].add(lease.samples[c]);
}

/// Visits that come back.
template <games::Game G>
void Trunk<G>::settle(const Step& step, const Returned& returned, Selector& selector) {
  step.node->visits -= returned.missing;
  step.node->pending = static_cast<std::uint16_t>(step.node->pending - returned.given);
  step.block->visits -= returned.missing;
  selector.settle(*step.node, returned.samples[games::index(step.mover)]);
  selector.refresh(*step.block, step.move, *step.node);
  Selector::put_off_choice(*step.block);
}

template <games::Game G>
void Trunk<G>::give_back(Leases<G>& leases, Simulator<G>& simulator) {
  Selector& selector = simulator.selector();
  Returned all;
  for (const Lease<G>& lease : leases) {
    std::erase_if(held_, [&](const Held& held) { return held.lease == &lease; });
    if (lease.wanted && lease.node->moves != 0) {
      tree_->block(lease.node->moves).divided = true;
      lease.node->keeper = 0;  // from now on its parts have keepers
    }
    Returned own;
    own.add(lease);
    all.add(lease);
    if (lease.node != root_) settle(lease.step, own, selector);
  }
  root_->visits -= all.missing;
  root_->pending = static_cast<std::uint16_t>(root_->pending - all.given);
  for (const Step& above : leases.above()) settle(above, all, selector);
  for (const Lease<G>& lease : leases) {
    if (lease.proof == Proof::none) continue;
    prove(*tree_, leases.path_to(lease), root_->proof, lease.proof, selector, simulator.random());
  }
  leases.clear();
}

}  // namespace pitboss::engine
