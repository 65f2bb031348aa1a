#pragma once

#include "engine/leaf/evaluator.hpp"
#include "engine/leaf/quality_rewards.hpp"

namespace pitboss::engine {

/// Playout policies: how moves are drawn.
struct UniformPolicy {
  template <games::Game G>
  [[nodiscard]] games::Move move(const G& game, games::Random& random) const {
    return games::random_move(game, random);
  }
};
/// The game's own.
struct InformedPolicy {
  template <games::Game G>
  [[nodiscard]] games::Move move(const G& game, games::Random& random) const {
    return game.informed_move(random);
  }
};

/// A policy that learns: it is told how a simulation has come to its playout, and what its result
/// was, bonuses not included.
template <class Policy, class G>
concept Learning = requires(Policy policy, std::span<const Step> path, const Values<G>& results) {
  policy.begin(path);
  policy.end(results);
};

/// The reward of one playout.
template <games::Game G, class Policy>
class PlayoutEvaluator final : public Evaluator<G> {
 public:
  /// `rewards` may be null, else outlives the evaluator.
  explicit PlayoutEvaluator(QualityRewards<G>* rewards, Policy policy = {})
      : policy_(std::move(policy)), rewards_(rewards) {}
  [[nodiscard]] Values<G> evaluate(const G& leaf, std::span<const Step> path,
                                   games::Random& random) override {
    if constexpr (Learning<Policy, G>) policy_.begin(path);
    G game = leaf;
    auto plies = static_cast<int>(path.size());
    games::Result result = game.result();
    for (; !result.finished(); ++plies) {
      game.play(policy_.move(game, random));
      result = game.result();
    }
    Values<G> values = values_of<G>(result);
    if constexpr (Learning<Policy, G>) policy_.end(values);
    if (rewards_ != nullptr) rewards_->add_to(values, game, result, plies);
    return values;
  }

 private:
  Policy policy_;
  QualityRewards<G>* rewards_;
};

}  // namespace pitboss::engine
