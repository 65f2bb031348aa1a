#include "engine/policy/features/feature_game.hpp"

#include <optional>

#include "games/unboxed.hpp"

namespace pitboss::engine {

FeatureGame feature_game(const games::AnyGame& game) {
  std::optional<FeatureGame> result;
  games::unboxed(game, [&](const auto& unboxed) { result.emplace(feature_game(unboxed)); });
  return *std::move(result);
}

}  // namespace pitboss::engine
