#pragma once

#include "engine/evaluator.hpp"
#include "engine/quality_rewards.hpp"

namespace pitboss::engine {

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

/// The reward of one playout.
template <games::Game G, class Policy>
class PlayoutEvaluator final : public Evaluator<G> {
 public:
  /// `rewards` may be null, else outlives the evaluator.
  explicit PlayoutEvaluator(QualityRewards<G>* rewards) : rewards_(rewards) {}
  [[nodiscard]] Values<G> evaluate(const G& leaf, std::span<const Step> path,
                                   games::Random& random) override {
    G game = leaf;
    auto plies = static_cast<int>(path.size());
    for (; !game.result().finished(); ++plies) game.play(Policy::move(game, random));
    Values<G> values = values_of<G>(game.result());
    if (rewards_ != nullptr) rewards_->add_to(values, game, plies);
    return values;
  }

 private:
  QualityRewards<G>* rewards_;
};

}  // namespace pitboss::engine
