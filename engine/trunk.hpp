#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <ranges>
#include <vector>

#include "engine/evaluator.hpp"
#include "engine/simulator.hpp"
#include "engine/tree.hpp"

namespace pitboss::engine {

/// A part of the tree that belongs to one thread for some simulations: a node and all behind it.
template <games::Game G>
struct Lease {
  explicit Lease(const G& any) : position(any) { path.reserve(G::max_plies); }

  // Set by the trunk.
  G position;  ///< at the node
  Node* node = nullptr;
  int simulations = 0;     ///< that the thread is to make, at most
  std::vector<Step> path;  ///< from the root to the node

  // Set by the holder.
  /// Who wins the position at the node, if the simulations have shown it.
  Proof proof = Proof::none;
  /// What the simulations have brought, by colour; the counts say how many have been made.
  std::array<Samples, G::players> samples;

  /// Set by the trunk at any time: another thread waits for the node, the holder is to end soon.
  std::atomic<bool> wanted = false;
};

/// What a thread holds at once.
template <games::Game G>
struct Leases {
  static constexpr std::size_t most = 4;

  explicit Leases(const G& any) {
    for (std::size_t i = 0; i < most; ++i) all.emplace_back(any);
  }
  std::deque<Lease<G>> all;  ///< their addresses stay
  std::size_t held = 0;      ///< of them, the first ones
};

/// The upper part of a tree that several threads search: it hands out the subtrees below.
///
/// To pass two or three cache lines from one processor to another takes as long as a whole
/// simulation (docs/performance.md). So each thread gets a subtree for itself, makes as many
/// simulations in it as change little in the choice above it, and brings the sums back. Which moves
/// they choose in there does not depend on the nodes above, as always in UCT (with estimators it
/// does, on what the thread's own tables know). Visits count on the
/// way down, when the subtree is handed out, so that the next thread sees what the node's bound
/// will be when it comes back (virtual loss without the loss: Liu et al. 2020, "Watch the
/// unobserved"). If it wants the same subtree all the same, then everybody does: from then on its
/// parts are handed out.
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

  /// One subtree or several to search, for a thread that holds none. `left` is the number of
  /// simulations, 1 or more, that are still to be handed out. False if the best subtree is leased;
  /// to be tried again soon. `simulator` is the caller's.
  [[nodiscard]] bool lease(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator);
  /// Whether a thread has what lies behind the node.
  [[nodiscard]] bool is_leased(const Node& node) const { return holder(node) != nullptr; }
  /// Takes a subtree back and counts its samples.
  void give_back(Lease<G>& lease, Simulator<G>& simulator);

 private:
  // A leased subtree has at most a fourth of all visits, divided by the threads. One with no more
  // than a 64th is not divided further: its holder comes back soon.
  static constexpr std::uint32_t all_divisor = 4;
  static constexpr std::uint32_t indivisible_divisor = 64;
  static constexpr std::uint32_t always_small = 256;
  // It gets at most an eighth of its visits anew before the choice above it is made again, a 32nd
  // where there are many moves to choose between, which then are close to each other; and at
  // most a 32nd of what is left: in the end every thread chooses as often as one alone would.
  static constexpr int least_own_divisor = 8;
  static constexpr int most_own_divisor = 32;
  static constexpr std::int64_t rest_divisor = 32;
  static constexpr std::int64_t most_simulations = 256;
  // Less than that is not worth the way: subtrees beside it are handed out with it, where there are
  // more moves than `most_own_divisor`.
  static constexpr std::int64_t worthwhile = 4;

  /// A subtree that is handed out. What the holder writes is not looked at.
  struct Held {
    const Node* node;
    Lease<G>* lease;
  };

  [[nodiscard]] Lease<G>* holder(const Node& node) const;
  [[nodiscard]] std::uint32_t small(std::uint32_t part_of_all) const;
  [[nodiscard]] int portion(const Lease<G>& lease, std::int64_t left) const;
  [[nodiscard]] bool lease_best(Lease<G>& lease, std::int64_t left, Simulator<G>& simulator);
  void lease_siblings(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator);
  void hand_out(Lease<G>& lease, Node& node, std::int64_t left, Selector& selector);

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
  if (lease.path.empty()) return static_cast<int>(std::min<std::int64_t>(always_small, left));
  const int moves = lease.path.back().block->count;
  const std::int64_t own =
      lease.node->visits / std::clamp(moves, least_own_divisor, most_own_divisor);
  return static_cast<int>(
      std::max<std::int64_t>(1, std::min({own, left / rest_divisor, most_simulations})));
}

template <games::Game G>
bool Trunk<G>::lease(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator) {
  if (!lease_best(leases.all.front(), left, simulator)) return false;
  leases.held = 1;
  lease_siblings(leases, left, simulator);
  return true;
}

template <games::Game G>
bool Trunk<G>::lease_best(Lease<G>& lease, std::int64_t left, Simulator<G>& simulator) {
  const std::uint32_t divisible = small(all_divisor);
  const std::uint32_t indivisible = small(indivisible_divisor);
  Node* node = root_;
  lease.position = *position_;
  lease.path.clear();
  simulator.begin_at_root(root_->visits);
  for (;;) {
    if (Lease<G>* const other = holder(*node)) {
      if (node->visits > indivisible) other->wanted = true;
      return false;
    }
    if (node->moves == 0) break;
    MoveBlock& block = tree_->block(node->moves);
    // Pending visits of a node that nobody holds are those of a lease behind it.
    const bool is_small = node->visits <= (block.divided ? indivisible : divisible);
    if (is_small && node->pending == 0) break;
    const Index child = simulator.next_node(lease.position, block);
    if (child == 0) {  // nothing behind this node is open: it can only be evaluated again
      if (node->pending != 0) return false;
      break;
    }
    node = &tree_->node(child);
    lease.path.push_back({&block, node, block.next, lease.position.to_move()});
    simulator.follow(lease.position, block);
    lease.position.play(block.move()[block.next]);
  }
  hand_out(lease, *node, left, simulator.selector());
  return true;
}

/// Adds the best moves beside the first lease's own until all together are worthwhile or a 32nd of
/// the visits of their position has gone out, or one comes that somebody has, or the first one
/// again. Estimators choose by what no pass over the moves tells: nothing for them.
template <games::Game G>
void Trunk<G>::lease_siblings(Leases<G>& leases, std::int64_t left, Simulator<G>& simulator) {
  const Lease<G>& first = leases.all.front();
  Selector& selector = simulator.selector();
  if (first.path.empty() || !selector.chooses()) return;
  MoveBlock& block = *first.path.back().block;
  if (block.count <= most_own_divisor) return;
  const std::int64_t all = std::min<std::int64_t>(block.visits / most_own_divisor, worthwhile);
  std::int64_t rest = std::min(all, left / rest_divisor) - first.simulations;
  if (rest <= 0) return;
  G above = *position_;
  for (const Step& step : first.path | std::views::take(first.path.size() - 1)) {
    above.play(step.block->move()[step.move]);
  }
  while (leases.held < Leases<G>::most && rest > 0) {
    if (leases.held > 1) selector.choose_next_best(block, simulator.random());
    const Index child = selector.next_node(*tree_, block, simulator.writer(), simulator.random());
    if (child == 0) break;
    Node& node = tree_->node(child);
    if (holder(node) != nullptr || node.pending != 0 || node.visits > always_small) break;
    Lease<G>& next = leases.all[leases.held++];
    next.position = above;
    next.position.play(block.move()[block.next]);
    next.path = first.path;
    next.path.back() = {&block, &node, block.next, first.path.back().mover};
    hand_out(next, node, left, selector);
    rest -= next.simulations;
  }
  Selector::put_off_choice(block);
}

/// Everything of a lease but its position and path; counts its visits.
template <games::Game G>
void Trunk<G>::hand_out(Lease<G>& lease, Node& node, std::int64_t left, Selector& selector) {
  lease.node = &node;
  lease.proof = Proof::none;
  lease.simulations = portion(lease, left);
  lease.wanted = false;
  held_.push_back({&node, &lease});
  const auto count = static_cast<std::uint32_t>(lease.simulations);
  root_->visits += count;
  root_->pending = static_cast<std::uint16_t>(root_->pending + count);
  for (const Step& step : lease.path) {
    step.node->visits += count;
    step.node->pending = static_cast<std::uint16_t>(step.node->pending + count);
    step.block->visits += count;
    selector.refresh(*step.block, step.move, *step.node);
    Selector::put_off_choice(*step.block);
  }
}

template <games::Game G>
void Trunk<G>::give_back(Lease<G>& lease, Simulator<G>& simulator) {
  Selector& selector = simulator.selector();
  std::erase_if(held_, [&](const Held& held) { return held.lease == &lease; });
  const auto count = static_cast<std::uint32_t>(lease.simulations);
  const std::uint32_t missing = count - lease.samples[0].count;
  root_->visits -= missing;
  root_->pending = static_cast<std::uint16_t>(root_->pending - count);
  if (lease.wanted && lease.node->moves != 0) tree_->block(lease.node->moves).divided = true;
  for (const Step& step : lease.path) {
    MoveBlock& block = *step.block;
    step.node->visits -= missing;
    step.node->pending = static_cast<std::uint16_t>(step.node->pending - count);
    block.visits -= missing;
    selector.settle(*step.node, lease.samples[games::index(step.mover)]);
    selector.refresh(block, step.move, *step.node);
    Selector::put_off_choice(block);
  }
  if (lease.proof != Proof::none) {
    prove(*tree_, lease.path, root_->proof, lease.proof, selector, simulator.random());
  }
}

}  // namespace pitboss::engine
