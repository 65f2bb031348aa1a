#pragma once

#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"

namespace pitboss::engine {

/// The features that the rules imply: every move with a target has at least one of them. They test
/// that the target is empty or, in some games, an enemy's, and where men move, that the origin is a
/// friend's.
[[nodiscard]] std::vector<MoveFeature> base_features(const FeatureGame& game);

/// The base features, and each of them with one more element in every possible way: the game's
/// contents at the ends of walks of up to two steps. Canonical, each once.
[[nodiscard]] std::vector<MoveFeature> atomic_features(const FeatureGame& game);

}  // namespace pitboss::engine
