#pragma once

#include <span>

#include "engine/tree/selector.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// A reward or an estimate of it for every colour, each in [0, 1] unless bonuses are added to it
/// (quality_rewards.hpp).
using games::Values;

/// The result of a finished game as values.
template <games::Game G>
[[nodiscard]] Values<G> values_of(games::Result result) {
  Values<G> values;
  for (int c = 0; c < G::players; ++c) values[c] = result.share(static_cast<games::Colour>(c));
  return values;
}

/// A proven win as values.
template <games::Game G>
[[nodiscard]] Values<G> values_of(Proof proof) {
  Values<G> values;
  for (int c = 0; c < G::players; ++c) {
    values[c] = proof == won_by(static_cast<games::Colour>(c)) ? 1 : 0;
  }
  return values;
}

/// Slot: what a leaf is worth. Asked once a simulation, of finished positions too. `path` are the
/// moves that led to it from the root of the search.
template <games::Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  [[nodiscard]] virtual Values<G> evaluate(const G& leaf, std::span<const Step> path,
                                           games::Random& random) = 0;
};

/// What judges unfinished positions as they are; `Derived` does so in `estimate`.
template <games::Game G, class Derived>
class PositionEvaluator : public Evaluator<G> {
 public:
  [[nodiscard]] Values<G> evaluate(const G& leaf, std::span<const Step>, games::Random&) final {
    const games::Result result = leaf.result();
    return result.finished() ? values_of<G>(result) : static_cast<Derived*>(this)->estimate(leaf);
  }
};

/// The game's own static value.
template <games::Game G>
class StaticEvaluator final : public PositionEvaluator<G, StaticEvaluator<G>> {
 public:
  [[nodiscard]] Values<G> estimate(const G& leaf) const { return games::static_values(leaf); }
};

/// The stronger of the game's static values.
template <games::HasTunedValue G>
class TunedEvaluator final : public PositionEvaluator<G, TunedEvaluator<G>> {
 public:
  [[nodiscard]] Values<G> estimate(const G& leaf) const {
    const double first = leaf.tuned_value();
    return {first, 1 - first};
  }
};

/// The static value, for a search that needs the features as well (FeatureNovelty).
template <games::HasFeatureValue G>
class FeatureEvaluator final : public PositionEvaluator<G, FeatureEvaluator<G>> {
 public:
  [[nodiscard]] Values<G> estimate(const G& leaf) {
    leaf.features(features_);
    const double first = leaf.static_value(features_);
    return {first, 1 - first};
  }
  /// Of the unfinished position judged last.
  [[nodiscard]] const typename G::Features& features() const { return features_; }

 private:
  typename G::Features features_{};
};

}  // namespace pitboss::engine
