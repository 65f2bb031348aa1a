#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/policy/features/feature_match.hpp"
#include "engine/policy/features/feature_matcher.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// A position that has been played, and what the search of its moves found (Biasing MCTS with
/// Features for General Games, sec. IV): what the linear policy learns from.
struct Sample {
  int mover = 0;
  std::vector<std::uint64_t> pieces;               ///< as FeatureMatcher sees them
  engine::Contents contents;                       ///< the same position
  std::vector<engine::MovePoints> moves;           ///< all legal ones
  std::vector<float> target;                       ///< share of the visits, of each move
  std::vector<std::vector<std::uint32_t>> active;  ///< features of each move
};

/// A sample without active features; `visits` are those of moves by their texts.
[[nodiscard]] Sample sample_of(const games::AnyGame& position,
                               const std::map<std::string, double>& visits);

/// Fills Sample::active.
void match(Sample& sample, engine::FeatureMatcher& matcher);

/// Softmax of the sums of the active features' weights (eq. 2); `weights` are the mover's.
[[nodiscard]] std::vector<double> probabilities(const Sample& sample,
                                                std::span<const double> weights);
/// Cross-entropy between target and probabilities, and lambda times the squares of all weights
/// (eq. 5).
[[nodiscard]] double loss_of(const Sample& sample, std::span<const double> weights, double lambda);
/// Adds the gradient of `loss_of` by the weights, but for lambda's part, to `gradient`.
void add_gradient(const Sample& sample, std::span<const double> weights,
                  std::span<double> gradient);

}  // namespace pitboss::clients
