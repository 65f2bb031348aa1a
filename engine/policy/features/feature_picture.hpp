#pragma once

#include <compare>
#include <string>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"

namespace pitboss::engine {

/// A place in a picture: columns and rows from the anchor, in the coordinates of the board's
/// points. On hexagonal boards each row is shifted against the one below.
struct Spot {
  int x = 0;
  int y = 0;
  friend auto operator<=>(const Spot&, const Spot&) = default;
};
/// The end of a walk on a board whose points all have the largest number of neighbours.
[[nodiscard]] Spot spot_of(const FeatureGame& game, const Walk& walk);
/// By how many columns a row of the picture is shifted to the right of the one below.
[[nodiscard]] double lean_of(const FeatureGame& game);

/// A feature as a picture of the points that it tests, row by row from the top, as the game's board
/// is shown: F a friend, E an enemy, _ empty, # off the board, another letter a piece, a digit the
/// number of neighbours; ! in front negates; ? several tests; . no test. The target stands in [ ],
/// the origin in ( ). Walks are drawn as if all points had the most neighbours; walks that end at
/// one point are drawn together.
[[nodiscard]] std::vector<std::string> picture_of(const MoveFeature& feature,
                                                  const FeatureGame& game);
/// What the signs of a picture mean, one line.
[[nodiscard]] std::string picture_legend();

}  // namespace pitboss::engine
