#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "engine/memory_budget.hpp"
#include "environment/awake_clock.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// Place of a node or block in a tree: its distance from the tree's start in units of 32 bytes; 0:
/// none.
using Index = std::uint32_t;

/// The number plus 1 of the colour that is proven to win a position; 0 if none is.
enum class Proof : std::uint8_t { none = 0 };
[[nodiscard]] constexpr Proof won_by(games::Colour c) {
  return static_cast<Proof>(games::index(c) + 1);
}
/// The proof in a result; none if the game goes on or the win is shared.
[[nodiscard]] constexpr Proof proof_of(games::Result result) {
  return result.finished() && !result.shared() ? won_by(result.winner()) : Proof::none;
}

/// A position of the tree, with the statistics of the move that leads to it, for that move's mover.
/// 32 bytes. A move that was neither tried, proven nor closed for good has no node.
struct Node {
  double mean;           ///< of the results, virtual sample included, in [0, 1]
  double square;         ///< mean of the squared results
  std::uint32_t visits;  ///< those pending included; without the virtual sample
  float novelty;         ///< mean novelty of the positions seen through this node, unscaled
  /// The index of its MoveBlock; 0 until the second visit, or, in a search with priors, until the
  /// first visit's result.
  Index moves;
  std::uint16_t pending;  ///< virtual visits, counted in `visits`: their results are to come
  Proof proof;            ///< who wins, if that is known (solver.hpp)
  /// Whether the move is closed for good: `proof` names another colour than the mover, or there is
  /// none and another move is known to be as good.
  bool closed : 1;
  /// The thread that leased the subtree last: its number from 1 on; 0: none
  /// (search/shared_tree.hpp).
  std::uint8_t keeper : 7;

  [[nodiscard]] std::uint32_t settled() const { return visits - pending; }
};
static_assert(sizeof(Node) == 32);

/// The moves of one position, in parallel arrays, so that a scoring pass reads whole vectors. A
/// back-up refreshes the entries of the visited move alone and then chooses the move of the next
/// visit: nothing that the choice depends on changes before that visit, and the passes of a path's
/// levels do not wait for each other, as those on the way down would. With virtual visits
/// (Selector::add_virtual_visits) the choice is put off to the next visit: one pass then serves all
/// changes made until then.
///
/// All arrays have `padded` entries; those from `count` on are never chosen. Only the blocks of a
/// search with priors have room for priors.
struct MoveBlock {
  static constexpr int padding = 8;

  std::uint16_t count;   ///< legal moves
  std::uint16_t padded;  ///< count, rounded up to a multiple of `padding`
  std::uint32_t visits;  ///< real samples of all moves together
  /// The epoch of the options with which `base` and `next` were computed, plus a bit if the choice
  /// of `next` is delayed (Selector::put_off_choice). One comparison detects both.
  std::uint32_t epoch;
  std::int32_t next;  ///< index of the move to try next; -1 if all are closed
  Index next_node;    ///< node of `next`; 0 if it has none yet
  bool divided;       ///< its subtree is leased in parts (search/shared_tree.hpp)
  bool has_priors;    ///< whether there is room for them
  bool is_studied;    ///< knowledge has closed moves, or is not to (search/knowledge.hpp)
  /// Mean of the evaluation of the position and of the results of its moves, for its mover; kept up
  /// only where untried moves take it as their value (Selector::set).
  float mean;
  std::uint32_t unused;  ///< keeps the size

  /// Value part of the score: mean, or mean and novelty mixed.
  [[nodiscard]] float* base() { return reinterpret_cast<float*>(this + 1); }
  /// Variance of the results.
  [[nodiscard]] float* variance() { return base() + padded; }
  /// 1 / sqrt(samples).
  [[nodiscard]] float* inverse_root() { return variance() + padded; }
  [[nodiscard]] Index* node() { return reinterpret_cast<Index*>(inverse_root() + padded); }
  [[nodiscard]] games::Move* move() { return reinterpret_cast<games::Move*>(node() + padded); }
  /// The moves' prior probabilities; only if `has_priors`.
  [[nodiscard]] float* prior() { return reinterpret_cast<float*>(move() + padded); }

  void set_next(int i) {
    next = i;
    next_node = i < 0 ? 0 : node()[i];
  }

  [[nodiscard]] static constexpr int padded_count(int count) {
    return (count + padding - 1) / padding * padding;
  }
  [[nodiscard]] static constexpr std::size_t bytes(int padded, bool has_priors) {
    return sizeof(MoveBlock) +
           static_cast<std::size_t>(padded) * (3 * sizeof(float) + sizeof(Index) +
                                               sizeof(games::Move) + has_priors * sizeof(float));
  }
};
static_assert(sizeof(MoveBlock) == 32);
static_assert(sizeof(games::Move) == sizeof(float));  // the arrays have equal lengths

/// The memory of one search tree: a region of fixed size, filled from the front and emptied at
/// once, so that later searches reuse it without allocation. The operating system gives physical
/// memory only to the part in use, and only for that memory is reserved, `step` by `step`. Several
/// threads may fill it, each through a TreeWriter of its own.
class Tree {
 public:
  static constexpr std::size_t unit = 32;

  /// Bytes by which the tree grows.
  static constexpr std::size_t step = std::size_t{4} << 20;

  /// The tree reserves what it uses in `memory`; null: nowhere.
  explicit Tree(std::shared_ptr<MemorySource> memory = nullptr) : memory_(std::move(memory)) {}

  /// Empties the tree; allocates a region of `megabytes` MiB unless it has that size, and releases
  /// idle memory for its first step if necessary. Throws std::bad_alloc; then the tree has no
  /// memory. No writer may be in use.
  void reset(std::int64_t megabytes);

  [[nodiscard]] Node& node(Index i) { return *reinterpret_cast<Node*>(at(i)); }
  [[nodiscard]] const Node& node(Index i) const { return *reinterpret_cast<const Node*>(at(i)); }
  [[nodiscard]] MoveBlock& block(Index i) { return *reinterpret_cast<MoveBlock*>(at(i)); }
  /// Not const: the block's arrays are reached through its non-const member functions.
  [[nodiscard]] MoveBlock& block(Index i) const { return *reinterpret_cast<MoveBlock*>(at(i)); }

  /// Takes units from the front of the free part: 64 KiB of them, or less in a small tree and at
  /// its end, but at least `least`; {0, 0} if fewer are left, or there is no memory for them. Any
  /// thread may call it.
  struct Span {
    std::size_t begin;
    std::size_t end;
  };
  [[nodiscard]] Span take(std::size_t least);

  /// Units handed out so far.
  [[nodiscard]] std::size_t units() const { return used_.load(std::memory_order_relaxed); }
  /// Whether it has only the memory that an empty tree has.
  [[nodiscard]] bool is_small() const { return units() * unit <= step; }
  /// Whether the tree has stopped to grow since the last reset: its region is full, or there was no
  /// memory, and none that somebody gives up soon, for its next step.
  [[nodiscard]] bool full() const { return full_.load(std::memory_order_relaxed); }

 private:
  using TimePoint = environment::AwakeClock::time_point;
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };

  [[nodiscard]] std::byte* at(Index i) const { return region_.get() + std::size_t{i} * unit; }
  [[nodiscard]] std::byte* allocate(std::size_t bytes);
  [[nodiscard]] bool reserve(std::size_t units);

  std::shared_ptr<MemorySource> memory_;
  // Guards the next three while several threads fill the tree.
  std::mutex growing_;
  std::optional<TimePoint> asked_in_vain_;  ///< when memory was first refused that is to come
  TimePoint asks_again_{};                  ///< nothing is asked for before then
  Reservation reservation_;                 ///< of the front of the region
  std::unique_ptr<std::byte[], Free> region_;
  std::size_t units_ = 0;
  std::atomic<std::size_t> reserved_{0};  ///< units
  std::atomic<std::size_t> used_{1};      // unit 0 stays unused: index 0 means nothing
  std::atomic<bool> full_{false};
};

/// Adds nodes and blocks to a tree, for one thread. Takes the tree's memory in pieces, so that
/// threads seldom contend and write to separate cache lines.
class TreeWriter {
 public:
  /// Begins to write into an emptied tree, which must outlive the writer. With `has_priors`, blocks
  /// have room for priors.
  void reset(Tree& tree, bool has_priors = false);

  /// Room for a node, or for a block with `count` moves, of which `count`, `padded` and
  /// `has_priors` are set; 0 when the tree is full.
  [[nodiscard]] Index add_node();
  [[nodiscard]] Index add_block(int count);

  /// Whether there is no room for any block.
  [[nodiscard]] bool is_full() const {
    return tree_->full() &&
           spare() * Tree::unit < MoveBlock::bytes(MoveBlock::padding, has_priors_);
  }
  /// The number of nodes added.
  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  /// The units taken from the tree and not used yet.
  [[nodiscard]] std::size_t spare() const { return piece_.end - piece_.begin; }

 private:
  [[nodiscard]] Index take(std::size_t bytes) {
    const std::size_t needed = (bytes + Tree::unit - 1) / Tree::unit;
    if (needed > spare() && !refill(needed)) return 0;
    const auto index = static_cast<Index>(piece_.begin);
    piece_.begin += needed;
    return index;
  }
  [[nodiscard]] bool refill(std::size_t needed);

  Tree* tree_ = nullptr;
  bool has_priors_ = false;
  Tree::Span piece_{0, 0};
  std::int64_t nodes_ = 0;
};

inline Index TreeWriter::add_node() {
  const Index i = take(sizeof(Node));
  if (i != 0) ++nodes_;
  return i;
}

inline Index TreeWriter::add_block(int count) {
  const int padded = MoveBlock::padded_count(count);
  const Index i = take(MoveBlock::bytes(padded, has_priors_));
  if (i == 0) return 0;
  MoveBlock& block = tree_->block(i);
  block.count = static_cast<std::uint16_t>(count);
  block.padded = static_cast<std::uint16_t>(padded);
  block.has_priors = has_priors_;
  return i;
}

}  // namespace pitboss::engine
