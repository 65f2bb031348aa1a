#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"

namespace pitboss::engine {

/// The content of a feature's line in a file.
struct FeatureLine {
  std::vector<float> weights;  ///< one, or one for each seat of the game
  MoveFeature feature;         ///< in its canonical form
};

/// Reads "0.5 -0.5 to {} from {0}; friend {1/4}; not empty {0, 1/4}". Throws BadFeatures, which
/// tells line, column and what was expected there.
[[nodiscard]] FeatureLine parse_feature_line(std::string_view line, std::size_t number,
                                             const FeatureGame& game);

/// Throws BadFeatures: "line 3, column 8: expected a walk, not 'x'". A long `found` is cut off.
[[noreturn]] void fail_at(std::size_t line, std::size_t column, const std::string& expected,
                          std::string_view found);

}  // namespace pitboss::engine
