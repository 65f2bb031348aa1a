#pragma once

#include "engine/leaf/evaluator.hpp"

/// Evaluators that judge a position by its game's own static value.
namespace pitboss::engine {

/// Base of evaluators without playouts: `Derived::estimate` evaluates an unfinished position.
template <games::Game G, class Derived>
class PositionEvaluator : public Evaluator<G> {
 public:
  void evaluate(const Trajectory<G>& trajectory, games::Random&, Evaluation<G>& evaluation) final {
    const games::Result result = trajectory.leaf.result();
    evaluation.values = result.finished() ? values_of<G>(result)
                                          : static_cast<Derived*>(this)->estimate(trajectory.leaf);
  }
};

/// The game's own static value.
template <games::Game G>
class StaticEvaluator final : public PositionEvaluator<G, StaticEvaluator<G>> {
 public:
  [[nodiscard]] Values<G> estimate(const G& leaf) const { return games::static_values(leaf); }
};

/// The game's tuned value, stronger than its static value.
template <games::HasTunedValue G>
class TunedEvaluator final : public PositionEvaluator<G, TunedEvaluator<G>> {
 public:
  [[nodiscard]] Values<G> estimate(const G& leaf) const {
    const double first = leaf.tuned_value();
    return {first, 1 - first};
  }
};

/// The static value, for a search whose novelty measure needs the features as well
/// (ObservedFeatures).
template <games::HasFeatureValue G>
class FeatureEvaluator final : public PositionEvaluator<G, FeatureEvaluator<G>> {
 public:
  [[nodiscard]] Values<G> estimate(const G& leaf) {
    leaf.features(features_);
    const double first = leaf.static_value(features_);
    return {first, 1 - first};
  }
  /// The features of the unfinished position evaluated last.
  [[nodiscard]] const typename G::Features& features() const { return features_; }

 private:
  typename G::Features features_{};
};

}  // namespace pitboss::engine
