#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"
#include "games/game.hpp"

/// Sets of features with weights, and their files: docs/features.md.
namespace pitboss::engine {

/// Features that cannot be read or used. The text is a sentence for the user.
class BadFeatures : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Features of a game and their weights.
struct FeatureSet {
  std::string game;
  std::string parameters;             ///< of the game for which it was made
  std::string procedure;              ///< how the set was made; may be empty
  int columns = 1;                    ///< weights per feature: one for all colours, or one for each
  std::vector<MoveFeature> features;  ///< canonical, no two of them equal
  std::vector<float> weights;         ///< feature by feature

  [[nodiscard]] float weight(std::size_t feature, games::Colour mover) const {
    const auto column = columns == 1 ? 0 : static_cast<std::size_t>(index(mover));
    return weights[feature * static_cast<std::size_t>(columns) + column];
  }
  friend bool operator==(const FeatureSet&, const FeatureSet&) = default;
};

inline constexpr std::size_t most_features = 4096;
inline constexpr std::size_t most_elements = 32;  ///< of a feature
inline constexpr std::size_t longest_walk = 16;
inline constexpr float largest_weight = 1e6F;

/// Reads a file's text. Throws BadFeatures with line, column and what was expected there.
[[nodiscard]] FeatureSet parse_features(std::string_view text);
/// The text of a file from which `parse_features` reads the same set.
[[nodiscard]] std::string file_text(const FeatureSet& set);
/// The game for which the set was made.
[[nodiscard]] FeatureGame feature_game(const FeatureSet& set);

}  // namespace pitboss::engine
