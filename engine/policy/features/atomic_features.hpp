#pragma once

#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"

namespace pitboss::engine {

/// The features that the rules give: each move with a target is covered by at least one of them.
/// A target is empty, or, in some games, an enemy's; where men move, an origin is a friend's.
[[nodiscard]] std::vector<MoveFeature> base_features(const FeatureGame& game);

/// The base features, and each of them with one more element in every possible way: contents that
/// the game has, at the ends of walks of up to two steps. Canonical, each once.
[[nodiscard]] std::vector<MoveFeature> atomic_features(const FeatureGame& game);

}  // namespace pitboss::engine
