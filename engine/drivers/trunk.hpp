#pragma once

#include <cstdint>
#include <vector>

#include "engine/drivers/leases.hpp"
#include "engine/tree/selector.hpp"
#include "engine/tree/tree.hpp"

namespace pitboss::engine {

/// A walk from the root whose moves are chosen by the position, as estimators do.
class GuidedWalk {
 public:
  virtual ~GuidedWalk() = default;
  /// At the root, in the search's t-th simulation.
  virtual void begin(std::int64_t t) = 0;
  /// The node of the move to try next in the position reached, whose moves are the block; 0 if
  /// there is no room. MoveBlock::next is the move.
  [[nodiscard]] virtual Index next_node(MoveBlock& block) = 0;
  /// Plays MoveBlock::next.
  virtual void follow(MoveBlock& block) = 0;
};

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
/// Knows no game. Not thread-safe: the driver locks. Between `lease` and `give_back` nobody but the
/// holder may touch what lies behind the leased node; the rest is the trunk's.
class Trunk {
 public:
  /// `root`'s moves must be a block, unless the tree has no room.
  void reset(Tree& tree, Node& root, int threads);

  /// One subtree or several to search, for a thread that holds none and is to find their positions
  /// next (Leases). `left` is the number of simulations, 1 or more, that are still to be handed
  /// out; the answer is how many have been. 0 if all that is worth searching is leased; to be tried
  /// again soon. `access` is the caller's, and so is `walk`, which is null unless estimators
  /// choose.
  [[nodiscard]] std::int64_t lease(Leases& leases, std::int64_t left, const TreeAccess& access,
                                   GuidedWalk* walk);
  /// Whether a thread has what lies behind the node.
  [[nodiscard]] bool is_leased(const Node& node) const { return holder(node) != nullptr; }
  /// Takes all of a thread's subtrees back and counts their samples.
  void give_back(Leases& leases, const TreeAccess& access);

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

  /// A subtree that is handed out. What the holder writes is not looked at.
  struct Held {
    const Node* node;
    Lease* lease;
  };

  /// What some leases of one thread have brought together.
  struct Returned {
    std::uint32_t given = 0;    ///< simulations
    std::uint32_t missing = 0;  ///< of them, not made
    ColourSamples samples{};
    void add(const Lease& lease);
  };

  [[nodiscard]] Lease* holder(const Node& node) const;
  [[nodiscard]] std::uint32_t small(std::uint32_t part_of_all) const;
  [[nodiscard]] int portion(const Lease& lease, std::int64_t left) const;
  [[nodiscard]] Node* find_best(Leases& leases, const TreeAccess& access, GuidedWalk* walk);
  [[nodiscard]] Index next_free(MoveBlock& block, int thread, const TreeAccess& access);
  [[nodiscard]] bool is_elsewhere(const Node& node, int thread) const;
  [[nodiscard]] float least_score(MoveBlock& block, const Selector& selector, float divisor) const;
  std::int64_t lease_siblings(Leases& leases, std::int64_t left, const TreeAccess& access);
  [[nodiscard]] int hand_out(Leases& leases, Node& node, const Step& step, std::int64_t left,
                             Selector& selector);

  Tree* tree_ = nullptr;
  Node* root_ = nullptr;
  std::uint32_t threads_ = 1;
  std::vector<Held> held_;
};

}  // namespace pitboss::engine
