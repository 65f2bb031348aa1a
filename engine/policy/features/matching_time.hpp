#pragma once

#include "engine/policy/features/feature_set.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// How long it takes to match a set with all legal moves of a position.
struct MatchingTime {
  std::size_t features = 0;
  std::size_t instances = 0;
  double moves = 0;    ///< of a position, mean
  double seconds = 0;  ///< for a position, wall clock; median of the rounds
};
/// Matches positions of uniformly random games for about `seconds`, by the calling thread. Their
/// moves are known by then. Throws BadFeatures if the set is another game's.
[[nodiscard]] MatchingTime time_matching(const FeatureSet& set, const games::AnyGame& game,
                                         double seconds);

}  // namespace pitboss::engine
