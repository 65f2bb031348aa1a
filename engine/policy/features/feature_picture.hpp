#pragma once

#include <string>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"

namespace pitboss::engine {

/// A feature as a picture of the points that it tests, row by row from the top, as the game's board
/// is shown: F a friend, E an enemy, _ empty, # off the board, another letter a piece, a digit so
/// many neighbours; ! in front: not that; ? several tests; . nothing is tested. The target stands
/// in [ ], the origin in ( ). Walks are drawn as if all points had the most neighbours; two that
/// lead to one point by different ways are drawn there as one.
[[nodiscard]] std::vector<std::string> picture_of(const MoveFeature& feature,
                                                  const FeatureGame& game);
/// What the signs of a picture mean, one line.
[[nodiscard]] std::string picture_legend();

}  // namespace pitboss::engine
