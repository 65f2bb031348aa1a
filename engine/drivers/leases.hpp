#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "engine/tree/selector.hpp"
#include "engine/tree/tree.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// A part of the tree that belongs to one thread for some simulations: a node and all behind it.
template <games::Game G>
struct Lease {
  explicit Lease(const G& any) : position(any) {}

  // Set by the trunk.
  Node* node = nullptr;
  int simulations = 0;  ///< that the thread is to make, at most
  Step step{};          ///< the move to the node, but for its mover; nothing if that is the root

  // Set by the holder.
  G position;  ///< at the node
  /// Who wins that position, if the simulations have shown it.
  Proof proof = Proof::none;
  /// What the simulations have brought, by colour; the counts say how many have been made.
  std::array<Samples, G::players> samples;

  /// Set by the trunk at any time: another thread waits for the node, the holder is to end soon.
  std::atomic<bool> wanted = false;
};

/// What a thread holds at once: one subtree, or several whose nodes have the same parent. The trunk
/// (trunk.hpp) notes which ones while it is locked; the holder finds the positions afterwards.
template <games::Game G>
class Leases {
 public:
  static constexpr std::size_t most = 8;

  /// For the thread of this number, 1 to 64 (Node::keeper has seven bits).
  Leases(const G& any, int thread) : thread_(static_cast<std::uint8_t>(thread)) {
    for (std::size_t i = 0; i < most; ++i) all_.emplace_back(any);
    path_.reserve(G::max_plies);
    positions_.reserve(G::max_plies);
  }

  [[nodiscard]] std::uint8_t thread() const { return thread_; }
  [[nodiscard]] bool empty() const { return held_ == 0; }
  [[nodiscard]] std::size_t size() const { return held_; }
  [[nodiscard]] Lease<G>& operator[](std::size_t i) { return all_[i]; }
  /// Those that are held.
  [[nodiscard]] auto begin() { return all_.begin(); }
  [[nodiscard]] auto end() { return all_.begin() + static_cast<std::ptrdiff_t>(held_); }
  /// How many moves lead to the nodes.
  [[nodiscard]] std::size_t depth() const { return length_; }
  /// The last one `go` was told.
  [[nodiscard]] const Step& last_step() const { return path_[length_ - 1]; }
  /// The moves from the root to the common parent; none if the root itself is held.
  [[nodiscard]] std::span<const Step> above() const {
    return {path_.data(), length_ - std::min<std::size_t>(length_, 1)};
  }
  /// The moves from the root to the node of a lease. Valid until the next call.
  [[nodiscard]] std::span<const Step> path_to(const Lease<G>& lease) {
    if (length_ > 0) path_[length_ - 1] = lease.step;
    return {path_.data(), length_};
  }

  /// For the trunk: a new way from the root begins.
  void start() { length_ = 0; }
  /// A move further.
  void go(const Step& step) {
    if (length_ == path_.size()) path_.emplace_back();
    Step& here = path_[length_];
    if (here.block != step.block || here.move != step.move) {
      here = step;
      known_ = std::min(known_, length_);
    }
    ++length_;
  }
  /// One more lease, `most` in all.
  Lease<G>& add() { return all_[held_++]; }
  void clear() { held_ = 0; }

  /// Finds the positions of the leases, and who makes the moves on the way to them. The way is
  /// often that of the leases before: of it only what is new is played.
  void find_positions(const G& root) {
    const std::size_t parent = above().size();
    if (positions_.empty()) positions_.push_back(root);
    positions_.erase(positions_.begin() + 1 + static_cast<std::ptrdiff_t>(std::min(known_, parent)),
                     positions_.end());
    for (std::size_t i = positions_.size(); i <= parent; ++i) {
      Step& step = path_[i - 1];
      step.mover = positions_.back().to_move();
      positions_.push_back(positions_.back());
      positions_.back().play(step.block->move()[step.move]);
    }
    known_ = parent;
    for (Lease<G>& lease : *this) {
      lease.position = positions_.back();
      if (length_ == 0) continue;
      lease.step.mover = lease.position.to_move();
      lease.position.play(lease.step.block->move()[lease.step.move]);
    }
  }
  /// For another tree.
  void reset() {
    held_ = 0;
    path_.clear();
    length_ = 0;
    positions_.clear();
    known_ = 0;
  }

 private:
  std::uint8_t thread_;
  std::deque<Lease<G>> all_;  ///< their addresses stay
  std::size_t held_ = 0;      ///< of them, the first ones
  std::vector<Step> path_;  ///< from the root to one of the nodes, and what is left of longer ones
  std::size_t length_ = 0;
  std::vector<G> positions_;  ///< behind 0, 1, 2 ... moves of the path
  std::size_t known_ = 0;     ///< of the path's first moves: those that lead to these positions
};

}  // namespace pitboss::engine
