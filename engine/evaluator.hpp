#pragma once

#include <array>

#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// A result or an estimate of it for every colour, each in [0, 1].
using games::Values;

/// The result of a finished game as values.
template <games::Game G>
[[nodiscard]] Values<G> values_of(games::Result result) {
  Values<G> values;
  for (int c = 0; c < G::players; ++c) values[c] = result.share(static_cast<games::Colour>(c));
  return values;
}

/// Slot: what a new leaf is worth. Asked once a simulation, never for a finished position.
template <games::Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  [[nodiscard]] virtual Values<G> evaluate(const G& leaf, games::Random& random) = 0;
};

/// The game's own static value.
template <games::Game G>
class StaticEvaluator final : public Evaluator<G> {
 public:
  [[nodiscard]] Values<G> evaluate(const G& leaf, games::Random&) override {
    return games::static_values(leaf);
  }
};

/// The stronger of the game's static values.
template <games::HasTunedValue G>
class TunedEvaluator final : public Evaluator<G> {
 public:
  [[nodiscard]] Values<G> evaluate(const G& leaf, games::Random&) override {
    const double first = leaf.tuned_value();
    return {first, 1 - first};
  }
};

/// The static value, for a search that needs the features as well (FeatureNovelty).
template <games::HasFeatureValue G>
class FeatureEvaluator final : public Evaluator<G> {
 public:
  [[nodiscard]] Values<G> evaluate(const G& leaf, games::Random&) override {
    leaf.features(features_);
    const double first = leaf.static_value(features_);
    return {first, 1 - first};
  }
  /// Of the position judged last.
  [[nodiscard]] const typename G::Features& features() const { return features_; }

 private:
  typename G::Features features_{};
};

/// Playout policies: how moves are drawn.
struct UniformPolicy {
  template <games::Game G>
  [[nodiscard]] static games::Move move(const G& game, games::Random& random) {
    return games::random_move(game, random);
  }
};
/// The game's own.
struct InformedPolicy {
  template <games::Game G>
  [[nodiscard]] static games::Move move(const G& game, games::Random& random) {
    return game.informed_move(random);
  }
};

/// The result of one playout.
template <games::Game G, class Policy>
class PlayoutEvaluator final : public Evaluator<G> {
 public:
  [[nodiscard]] Values<G> evaluate(const G& leaf, games::Random& random) override {
    G game = leaf;
    while (!game.result().finished()) game.play(Policy::move(game, random));
    return values_of<G>(game.result());
  }
};

}  // namespace pitboss::engine
