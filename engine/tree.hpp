#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "games/game.hpp"

namespace pitboss::engine {

/// Place of something in a tree: its distance from the tree's start in units of 32 bytes. 0 is
/// nothing.
using Index = std::uint32_t;

/// A position that has been visited, as the move that leads to it is seen: statistics for the
/// colour that makes this move. 32 bytes. A move that was never tried has no node.
struct Node {
  double mean;           ///< of the results, virtual sample included, in [0, 1]
  double square;         ///< mean of the squared results
  std::uint32_t visits;  ///< real samples
  float novelty;         ///< mean novelty of the positions seen through this node, unscaled
  Index moves;           ///< its MoveBlock; 0 until the second visit
  std::uint32_t unused;  ///< keeps the size
};
static_assert(sizeof(Node) == 32);

/// The moves of one position, in parallel arrays, so that a scoring pass reads whole vectors. What
/// changes with a visit is refreshed for that move alone when the visit is backed up; selection
/// only adds the exploration term. All arrays have `padded` entries; those behind `count` never
/// win.
struct MoveBlock {
  static constexpr int lanes = 8;

  std::uint32_t count;   ///< legal moves
  std::uint32_t padded;  ///< count, rounded up to a multiple of `lanes`
  std::uint32_t visits;  ///< real samples of all moves together
  std::uint32_t epoch;   ///< of the options under which `base` was computed
  std::uint32_t unused[4];

  /// Value part of the score: mean, or mean and novelty mixed.
  [[nodiscard]] float* base() { return reinterpret_cast<float*>(this + 1); }
  /// Variance of the results.
  [[nodiscard]] float* variance() { return base() + padded; }
  /// 1 / sqrt(samples).
  [[nodiscard]] float* spread() { return variance() + padded; }
  [[nodiscard]] Index* node() { return reinterpret_cast<Index*>(spread() + padded); }
  [[nodiscard]] games::Move* move() { return reinterpret_cast<games::Move*>(node() + padded); }

  [[nodiscard]] static constexpr std::uint32_t padded_count(int count) {
    return static_cast<std::uint32_t>((count + lanes - 1) / lanes * lanes);
  }
  [[nodiscard]] static constexpr std::size_t bytes(std::uint32_t padded) {
    return sizeof(MoveBlock) + padded * (3 * sizeof(float) + sizeof(Index) + sizeof(games::Move));
  }
};
static_assert(sizeof(MoveBlock) == 32);

/// The memory of one search tree: a region of fixed size, filled from the front and emptied at
/// once, so that it is reused from search to search without any allocation. The operating system
/// gives real memory only to the part that has been used. Not thread-safe.
class Tree {
 public:
  static constexpr std::size_t unit = 32;

  /// Empties the tree; takes a region of `megabytes` if it has another size so far. Throws
  /// std::bad_alloc.
  void reset(std::int64_t megabytes);

  /// Room for a node or a block with `count` moves; 0 when the tree is full.
  [[nodiscard]] Index add_node();
  [[nodiscard]] Index add_block(int count);

  [[nodiscard]] Node& node(Index i) { return *reinterpret_cast<Node*>(at(i)); }
  [[nodiscard]] const Node& node(Index i) const { return *reinterpret_cast<const Node*>(at(i)); }
  [[nodiscard]] MoveBlock& block(Index i) { return *reinterpret_cast<MoveBlock*>(at(i)); }
  /// Blocks are not handed out as const: their arrays are reached through member functions.
  [[nodiscard]] MoveBlock& block(Index i) const { return *reinterpret_cast<MoveBlock*>(at(i)); }

  [[nodiscard]] std::int64_t nodes() const { return nodes_; }
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(used_ * unit); }
  /// Whether something found no room since the last reset.
  [[nodiscard]] bool full() const { return full_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };

  [[nodiscard]] Index take(std::size_t bytes);
  [[nodiscard]] std::byte* at(Index i) const { return region_.get() + std::size_t{i} * unit; }

  std::unique_ptr<std::byte[], Free> region_;
  std::size_t units_ = 0;
  std::size_t used_ = 1;  // unit 0 stays unused: index 0 means nothing
  std::int64_t nodes_ = 0;
  bool full_ = false;
};

inline Index Tree::take(std::size_t bytes) {
  const std::size_t needed = (bytes + unit - 1) / unit;
  if (needed > units_ - used_) {
    full_ = true;
    return 0;
  }
  const auto index = static_cast<Index>(used_);
  used_ += needed;
  return index;
}

inline Index Tree::add_node() {
  const Index i = take(sizeof(Node));
  if (i != 0) ++nodes_;
  return i;
}

inline Index Tree::add_block(int count) {
  const std::uint32_t padded = MoveBlock::padded_count(count);
  const Index i = take(MoveBlock::bytes(padded));
  if (i != 0) block(i) = MoveBlock{static_cast<std::uint32_t>(count), padded, 0, 0, {}};
  return i;
}

}  // namespace pitboss::engine
