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
  // Set by the trunk.
  Node* node = nullptr;
  int simulations = 0;  ///< most that the holder makes
  Step step{};          ///< the move to the node, without its mover; empty at the root

  // Set by the holder.
  /// The winner of the node's position, if the simulations have proven it.
  Proof proof = Proof::none;
  /// Sums of the results; the counts are the simulations made.
  ColourSamples samples;

  /// Set by the trunk at any time: another thread wants the node, and the holder is to end soon.
  std::atomic<bool> wanted = false;
};

/// The leases that a thread holds at once: one, or several whose nodes have the same parent. The
/// trunk (trunk.hpp) notes them while it is locked; the holder finds the positions afterwards
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
  /// The step of the last `go`.
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

  /// For the trunk: begins a new path at the root.
  void start() { length_ = 0; }
  /// Adds a step to the path.
  void go(const Step& step) {
    if (length_ == path_.size()) path_.emplace_back();
    path_[length_++] = step;
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
  std::vector<Step> path_;  ///< to one of the nodes; entries from `length_` on are unused
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
    for (Step& step : leases.above()) play(parent, step);
    for (std::size_t i = 0; i < leases.size(); ++i) {
      positions_[i] = parent;
      if (leases.depth() > 0) play(positions_[i], leases[i].step);
    }
  }
  /// The position of the i-th lease.
  [[nodiscard]] const G& operator[](std::size_t i) const { return positions_[i]; }

 private:
  static void play(G& position, Step& step) {
    step.mover = position.to_move();
    position.play(step.block->move()[step.move]);
  }

  std::vector<G> positions_;  ///< by lease
};

}  // namespace pitboss::engine
