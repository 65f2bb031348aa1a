#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "engine/tree/selector.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// A subtree that belongs to one thread for some simulations.
struct Lease {
  // Set by the shared tree.
  Node* node = nullptr;
  int simulations = 0;  ///< most that the holder makes
  Edge edge{};          ///< the move to the node, without its mover; empty at the root

  // Set by the holder.
  /// The winner of the node's position, if the simulations have proven it.
  Proof proof = Proof::none;
  /// Sums of the results; the counts are the simulations made.
  ColourSamples samples;

  /// Set by the shared tree at any time: another thread wants the node, and the holder is to end
  /// soon.
  std::atomic<bool> wanted = false;
};

/// The leases that a thread holds at once: one, or several whose nodes have the same parent. The
/// shared tree notes them while it is locked; the holder finds the positions afterwards
/// (LeasedPositions). Not thread-safe.
class Leases {
 public:
  static constexpr std::size_t most = 8;

  /// For the thread of this number, 1 to 64 (Node::keeper has seven bits).
  explicit Leases(int thread) : thread_(static_cast<std::uint8_t>(thread)), all_(most) {}

  [[nodiscard]] std::uint8_t thread() const { return thread_; }
  [[nodiscard]] bool empty() const { return held_ == 0; }
  [[nodiscard]] std::size_t size() const { return held_; }
  [[nodiscard]] Lease& operator[](std::size_t i) { return all_[i]; }
  /// The leases that are held.
  [[nodiscard]] auto begin() { return all_.begin(); }
  [[nodiscard]] auto end() { return all_.begin() + static_cast<std::ptrdiff_t>(held_); }
  /// How many moves lead from the root to a leased node.
  [[nodiscard]] std::size_t depth() const { return length_; }
  /// The edge of the last `go`.
  [[nodiscard]] const Edge& last_edge() const { return path_[length_ - 1]; }
  /// The moves from the root to the common parent; none if the root itself is held.
  [[nodiscard]] std::span<Edge> above() {
    return {path_.data(), length_ - std::min<std::size_t>(length_, 1)};
  }
  /// The moves from the root to the node of a lease. Valid until the next call.
  [[nodiscard]] std::span<const Edge> path_to(const Lease& lease) {
    if (length_ > 0) path_[length_ - 1] = lease.edge;
    return {path_.data(), length_};
  }

  /// For the shared tree: begins a new path at the root.
  void start() { length_ = 0; }
  /// Adds an edge to the path.
  void go(const Edge& edge) {
    if (length_ == path_.size()) path_.emplace_back();
    path_[length_++] = edge;
  }
  /// One more lease; `most` at once.
  Lease& add() { return all_[held_++]; }
  void clear() { held_ = 0; }
  /// For another tree.
  void reset() {
    held_ = 0;
    path_.clear();
    length_ = 0;
  }

 private:
  std::uint8_t thread_;
  std::deque<Lease> all_;   ///< a deque, so that addresses stay
  std::size_t held_ = 0;    ///< of `all_`, the first ones
  std::vector<Edge> path_;  ///< to one of the nodes; entries from `length_` on are unused
  std::size_t length_ = 0;
};

/// The positions at the nodes of a thread's leases.
template <games::Game G>
class LeasedPositions {
 public:
  explicit LeasedPositions(const G& any) : positions_(Leases::most, any) {}

  /// Finds the positions of the leases, and the movers of the moves that lead to them.
  void find(Leases& leases, const G& root) {
    G parent = root;
    for (Edge& edge : leases.above()) play(parent, edge);
    for (std::size_t i = 0; i < leases.size(); ++i) {
      positions_[i] = parent;
      if (leases.depth() > 0) play(positions_[i], leases[i].edge);
    }
  }
  /// The position of the i-th lease.
  [[nodiscard]] const G& operator[](std::size_t i) const { return positions_[i]; }

 private:
  static void play(G& position, Edge& edge) {
    edge.mover = position.to_move();
    position.play(edge.block->move()[edge.move]);
  }

  std::vector<G> positions_;  ///< by lease
};

/// A walk from the root whose choices depend on the positions, as those of estimators do.
class GuidedWalk {
 public:
  virtual ~GuidedWalk() = default;
  /// Begins at the root, in the search's t-th simulation.
  virtual void begin(std::int64_t t) = 0;
  /// The node of the move to try next in the position reached, which has this block; 0 if there is
  /// no room. MoveBlock::next is the move.
  [[nodiscard]] virtual Index next_node(MoveBlock& block) = 0;
  /// Plays MoveBlock::next.
  virtual void follow(MoveBlock& block) = 0;
};

/// The upper part of a tree that several threads search: it leases the subtrees below to them.
///
/// To pass two or three cache lines from one processor to another takes as long as a whole
/// simulation (docs/performance.md). So each thread leases a subtree, makes as many simulations in
/// it as change little in the choices above, and brings the sums back. The moves selected inside do
/// not depend on the nodes above, as always in UCT (with estimators they depend on the thread's own
/// tables). A lease's simulations count at once as virtual visits, so that the next thread sees the
/// bound as narrow as it will be (virtual loss without the loss: Liu et al. 2020, "Watch the
/// unobserved"). If that thread wants the same subtree all the same, it gets a sibling that is
/// nearly as good. If there is none and the subtree is large, its parts are leased from then on; if
/// it is small, its holder comes back soon. Among moves that are nearly as good a thread prefers a
/// subtree that is not in another processor's cache, where its last holder left it.
///
/// Where a position has many moves, each has few visits, so that its subtree is leased for a
/// simulation or two, and to select it takes as long as they do. There a thread leases the
/// subtrees of several moves at once: the first, and the best of one more choice.
///
/// Knows no game. Not thread-safe: the driver locks. Between `lease` and `give_back` only the
/// holder may touch the subtree below a leased node; the rest is the shared tree's.
class SharedTree {
 public:
  /// `root` must have a block, unless the tree has no room. With `studied_at` above 0 a position
  /// with so many visits is to be studied (knowledge.hpp), by a holder of its node.
  void reset(Tree& tree, Node& root, int threads, std::int64_t studied_at = 0);

  /// Leases one subtree or several to a thread that holds none and finds their positions next
  /// (LeasedPositions). `left` is the number of simulations, 1 or more, that are still to be handed
  /// out. Returns how many have been; 0 if all that is worth searching is leased, to be tried again
  /// soon. `access` is the caller's, and so is `walk`, which is null unless estimators choose.
  [[nodiscard]] std::int64_t lease(Leases& leases, std::int64_t left, const TreeAccess& access,
                                   GuidedWalk* walk);
  [[nodiscard]] bool has_leases() const { return !held_.empty(); }
  /// Whether a thread leases the node.
  [[nodiscard]] bool is_leased(const Node& node) const { return lease_of(node) != nullptr; }
  /// Ends all leases of a thread and backs up their samples.
  void give_back(Leases& leases, const TreeAccess& access);

 private:
  // A leased subtree has at most a fourth of all visits, divided by the threads. One with no more
  // than a 64th is not divided further: its holder comes back soon.
  static constexpr std::uint32_t all_divisor = 4;
  static constexpr std::uint32_t indivisible_divisor = 64;
  static constexpr std::uint32_t always_small = 256;
  // A lease is for at most an eighth of its node's visits before the choice above is made again, a
  // 24th where there are many moves, which then are close to each other; and at most a 32nd of what
  // is left: in the end every thread chooses as often as one alone would.
  static constexpr int least_own_divisor = 8;
  static constexpr int most_own_divisor = 24;
  static constexpr std::int64_t rest_divisor = 32;
  static constexpr std::int64_t most_simulations = 256;
  // Fewer simulations are not worth the selection: siblings are leased as well, where there are
  // more moves than `few_moves`.
  static constexpr std::int64_t worthwhile = 8;
  static constexpr int few_moves = 16;
  // How many other moves are looked at in place of a best one that is leased. Their scores may be
  // lower than its score by half of its exploration term, and by a twelfth if its subtree is large
  // or was another thread's last: else the threads would search other moves than one thread would.
  static constexpr int most_tries = 16;
  static constexpr float close_divisor = 2;
  static constexpr float closer_divisor = 12;

  /// A leased subtree. The shared tree does not read what the holder writes.
  struct Held {
    const Node* node;
    Lease* lease;
  };

  /// Sums over some leases of one thread.
  struct Returned {
    std::uint32_t given = 0;    ///< simulations
    std::uint32_t missing = 0;  ///< of them, not made
    ColourSamples samples{};
    void add(const Lease& lease);
  };

  [[nodiscard]] Lease* lease_of(const Node& node) const;
  [[nodiscard]] std::uint32_t small(std::uint32_t part_of_all) const;
  [[nodiscard]] bool is_to_be_studied(const MoveBlock& block) const {
    return studied_at_ > 0 && !block.is_studied && block.visits >= studied_at_;
  }
  [[nodiscard]] int portion(const Lease& lease, std::int64_t left) const;
  [[nodiscard]] Node* find_best(Leases& leases, const TreeAccess& access, GuidedWalk* walk);
  [[nodiscard]] Index next_free(MoveBlock& block, int thread, const TreeAccess& access);
  [[nodiscard]] bool is_elsewhere(const Node& node, int thread) const;
  [[nodiscard]] float least_score(MoveBlock& block, const Selector& selector, float divisor) const;
  std::int64_t lease_siblings(Leases& leases, std::int64_t left, const TreeAccess& access);
  [[nodiscard]] int hand_out(Leases& leases, Node& node, const Edge& edge, std::int64_t left,
                             Selector& selector);

  Tree* tree_ = nullptr;
  Node* root_ = nullptr;
  std::uint32_t threads_ = 1;
  std::int64_t studied_at_ = 0;
  std::vector<Held> held_;
};

}  // namespace pitboss::engine
