#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace pitboss::engine {

/// A move of a search's root as a RootRule sees it (split_moves: a first half).
struct RootMove {
  std::int64_t visits = 0;  ///< simulations that began with it, those in flight included
  double value = 0;         ///< mean of their results for the side to move, if there are any
  double prior = 0;         ///< probability, with the root's noise, if the search has priors
  /// No simulation begins with it: it is proven, avoided, no better than another, or has no room.
  bool is_closed = false;
};

/// Chooses the move with which the next simulation begins, in place of the selection rule: a place
/// among `moves`, which have the same order in all calls of a search. Below 0, or with a closed
/// move, the selection rule chooses.
using RootRule = std::function<int(std::span<const RootMove> moves)>;

}  // namespace pitboss::engine
