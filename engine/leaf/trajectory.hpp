#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/estimators/trail.hpp"
#include "engine/tree/selector.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// One simulation: its path from the root of the search to a leaf, and what is known of the leaf. A
/// trajectory has room for the longest game's path, so it is made once and used again.
template <games::Game G>
struct Trajectory {
  explicit Trajectory(const G& any) : leaf(any), edges(G::max_plies) {}

  G leaf;                   ///< the position at the end of the path
  std::vector<Edge> edges;  ///< the first `length` are the path from the root of the search
  std::size_t length = 0;
  /// How many of these edges lead to where the simulation begins: 0, or the depth of a lease.
  std::size_t above = 0;
  Proof proof = Proof::none;  ///< proven winner of the leaf, which is then not evaluated
  double novelty = 0;         ///< of the leaf, not scaled by alpha
  bool is_virtual = false;    ///< the tree counts its visits, and not yet its result
  EstimatorTrace trace;       ///< the estimators' record of its moves while it is in flight

  /// The moves from the root of the search to the leaf.
  [[nodiscard]] std::span<const Edge> path() const { return {edges.data(), length}; }
  /// The moves from where the simulation begins to the leaf.
  [[nodiscard]] std::span<const Edge> own_path() const { return path().subspan(above); }
};

}  // namespace pitboss::engine
