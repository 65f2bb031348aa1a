#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/estimators/trajectory.hpp"
#include "engine/tree/selector.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// A simulation on its way: it has descended to a leaf, whose value is not known yet or has just
/// come. About as large as a path of the longest game; made once and used again.
template <games::Game G>
struct Flight {
  explicit Flight(const G& any) : leaf(any), steps(G::max_plies) {}

  G leaf;                   ///< the position at the end of the path
  std::vector<Step> steps;  ///< the first `length` are the path from the root of the search
  std::size_t length = 0;
  /// How many of them lead to where simulations begin: 0, or the depth of a lease.
  std::size_t above = 0;
  Proof proof = Proof::none;  ///< who wins the leaf, if that is sure; then nobody evaluates it
  double novelty = 0;         ///< of the leaf
  bool departed = false;      ///< its visits are counted already, as pending
  Trajectory trajectory;      ///< what the estimators saw, while it is in flight

  /// The moves from the root of the search to the leaf.
  [[nodiscard]] std::span<const Step> path() const { return {steps.data(), length}; }
  /// Those of them that the simulation has chosen.
  [[nodiscard]] std::span<const Step> own_path() const { return path().subspan(above); }
};

}  // namespace pitboss::engine
