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

/// A part of the tree that belongs to one thread for some simulations: a node and all behind it.
struct Lease {
  // Set by the trunk.
  Node* node = nullptr;
  int simulations = 0;  ///< that the thread is to make, at most
  Step step{};          ///< the move to the node, but for its mover; nothing if that is the root

  // Set by the holder.
  /// Who wins the node's position, if the simulations have shown it.
  Proof proof = Proof::none;
  /// What the simulations have brought; the counts say how many have been made.
  ColourSamples samples;

  /// Set by the trunk at any time: another thread waits for the node, the holder is to end soon.
  std::atomic<bool> wanted = false;
};

/// What a thread holds at once: one subtree, or several whose nodes have the same parent. The trunk
/// (trunk.hpp) notes which ones while it is locked; the holder finds the positions afterwards
/// (LeasedPositions).
class Leases {
 public:
  static constexpr std::size_t most = 8;

  /// For the thread of this number, 1 to 64 (Node::keeper has seven bits).
  explicit Leases(int thread) : thread_(static_cast<std::uint8_t>(thread)), all_(most) {}

  [[nodiscard]] std::uint8_t thread() const { return thread_; }
  [[nodiscard]] bool empty() const { return held_ == 0; }
  [[nodiscard]] std::size_t size() const { return held_; }
  [[nodiscard]] Lease& operator[](std::size_t i) { return all_[i]; }
  /// Those that are held.
  [[nodiscard]] auto begin() { return all_.begin(); }
  [[nodiscard]] auto end() { return all_.begin() + static_cast<std::ptrdiff_t>(held_); }
  /// How many moves lead to the nodes.
  [[nodiscard]] std::size_t depth() const { return length_; }
  /// The last one `go` was told.
  [[nodiscard]] const Step& last_step() const { return path_[length_ - 1]; }
  /// The moves from the root to the common parent; none if the root itself is held.
  [[nodiscard]] std::span<Step> above() {
    return {path_.data(), length_ - std::min<std::size_t>(length_, 1)};
  }
  /// The moves from the root to the node of a lease. Valid until the next call.
  [[nodiscard]] std::span<const Step> path_to(const Lease& lease) {
    if (length_ > 0) path_[length_ - 1] = lease.step;
    return {path_.data(), length_};
  }

  /// For the trunk: a new way from the root begins.
  void start() { length_ = 0; }
  /// A move further.
  void go(const Step& step) {
    if (length_ == path_.size()) path_.emplace_back();
    path_[length_++] = step;
  }
  /// One more lease, `most` in all.
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
  std::deque<Lease> all_;   ///< their addresses stay
  std::size_t held_ = 0;    ///< of them, the first ones
  std::vector<Step> path_;  ///< from the root to one of the nodes, and what is left of longer ones
  std::size_t length_ = 0;
};

/// The positions at the nodes of a thread's leases.
template <games::Game G>
class LeasedPositions {
 public:
  explicit LeasedPositions(const G& any) : positions_(Leases::most, any) {}

  /// Finds the positions of the leases, and who makes the moves on the way to them.
  void find(Leases& leases, const G& root) {
    G parent = root;
    for (Step& step : leases.above()) play(parent, step);
    for (std::size_t i = 0; i < leases.size(); ++i) {
      positions_[i] = parent;
      if (leases.depth() > 0) play(positions_[i], leases[i].step);
    }
  }
  /// That of the i-th lease.
  [[nodiscard]] const G& operator[](std::size_t i) const { return positions_[i]; }

 private:
  static void play(G& position, Step& step) {
    step.mover = position.to_move();
    position.play(step.block->move()[step.move]);
  }

  std::vector<G> positions_;  ///< by lease
};

}  // namespace pitboss::engine
