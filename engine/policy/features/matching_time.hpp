#pragma once

#include "engine/policy/features/feature_set.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// The time for matching a set with all legal moves of a position.
struct MatchingTime {
  std::size_t features = 0;
  std::size_t instances = 0;
  double moves = 0;    ///< of a position, mean
  double seconds = 0;  ///< for a position, wall clock; median of the rounds
};
/// Matches positions of uniformly random games for about `seconds`, on the calling thread; excludes
/// the generation of moves. Throws BadFeatures if the set is for another game.
[[nodiscard]] MatchingTime time_matching(const FeatureSet& set, const games::AnyGame& game,
                                         double seconds);

}  // namespace pitboss::engine
