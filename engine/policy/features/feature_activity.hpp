#pragma once

#include <cstdint>
#include <vector>

#include "engine/policy/features/feature_set.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// For each feature of the set, the share of legal moves for which it is active, in `games`
/// uniformly random games. Throws BadFeatures if the set is for another game.
[[nodiscard]] std::vector<double> activity_of(const FeatureSet& set, const games::AnyGame& game,
                                              int games, std::uint64_t seed);

}  // namespace pitboss::engine
