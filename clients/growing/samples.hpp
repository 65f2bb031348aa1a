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

/// A position that was played, and the visits of its search (Biasing MCTS with Features for General
/// Games, sec. IV): the linear policy learns from it.
struct Sample {
  int mover = 0;
  std::vector<std::uint64_t> pieces;               ///< as FeatureMatcher sees them
  engine::Contents contents;                       ///< the same position
  std::vector<engine::MovePoints> moves;           ///< all legal moves
  std::vector<float> target;                       ///< each move's share of the visits
  std::vector<std::vector<std::uint32_t>> active;  ///< each move's active features
};

/// A sample without active features; `visits` has the moves' visits by the moves' texts.
[[nodiscard]] Sample sample_of(const games::AnyGame& position,
                               const std::map<std::string, double>& visits);

/// Fills Sample::active.
void match(Sample& sample, engine::FeatureMatcher& matcher);

/// Softmax of the sums of the active features' weights (eq. 2); `weights` are the mover's.
[[nodiscard]] std::vector<double> probabilities(const Sample& sample,
                                                std::span<const double> weights);
/// The cross-entropy between target and probabilities, plus lambda times the squares of all weights
/// (eq. 5).
[[nodiscard]] double loss_of(const Sample& sample, std::span<const double> weights, double lambda);
/// Adds the gradient of `loss_of` by the weights, without lambda's term, to `gradient`.
void add_gradient(const Sample& sample, std::span<const double> weights,
                  std::span<double> gradient);

}  // namespace pitboss::clients
