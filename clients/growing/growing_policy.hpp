#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "clients/growing/grow_settings.hpp"
#include "clients/growing/instances.hpp"
#include "clients/growing/samples.hpp"
#include "engine/policy/features/feature_set.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

/// A linear policy that learns from positions and gets new features (sec. IV). The settings must
/// outlive it.
class GrowingPolicy {
 public:
  /// Begins with the features and weights of `set`.
  GrowingPolicy(const engine::FeatureSet& set, const GrowSettings& settings);

  /// Remembers a position, and forgets the oldest one if there are more than `buffer`.
  void remember(Sample sample);
  [[nodiscard]] std::size_t remembered() const { return buffer_.size(); }

  /// One step of gradient descent (eq. 6) on a batch drawn from the positions remembered.
  void learn(games::Random& random);
  /// Adds the feature that the strategy finds, with weight 0; null if the strategy finds none.
  const engine::MoveFeature* grow(games::Random& random);
  /// Keeps only the `keep` heaviest features.
  void prune(std::size_t keep);

  /// The mean cross-entropy of the positions remembered.
  [[nodiscard]] double loss() const;
  /// The policy in the form that files hold.
  [[nodiscard]] engine::FeatureSet set() const;
  /// The compiled policy; shared with searches.
  [[nodiscard]] std::shared_ptr<const engine::FeaturePlan> plan() const;

 private:
  void match_all();
  [[nodiscard]] std::vector<const Sample*> drawn(int count, games::Random& random) const;
  [[nodiscard]] std::vector<double>& column(int mover) {
    return weights_[settings_.by_colour ? static_cast<std::size_t>(mover) : 0];
  }
  [[nodiscard]] const std::vector<double>& column(int mover) const {
    return weights_[settings_.by_colour ? static_cast<std::size_t>(mover) : 0];
  }

  const GrowSettings& settings_;
  engine::FeatureSet head_;  ///< without features
  Instances instances_;
  std::vector<std::vector<double>> weights_;  ///< by column and feature
  std::deque<Sample> buffer_;
  engine::FeatureMatcher matcher_;  ///< of the features, whatever their weights
};

}  // namespace pitboss::clients
