#pragma once

#include <utility>

#include "engine/leaf/evaluator.hpp"
#include "engine/leaf/quality_rewards.hpp"
#include "engine/policy/playout_policies.hpp"

namespace pitboss::engine {

/// Evaluator: the reward of one playout.
template <games::Game G, class Policy>
class PlayoutEvaluator final : public Evaluator<G> {
 public:
  /// `rewards` may be null, else must outlive the evaluator.
  explicit PlayoutEvaluator(QualityRewards<G>* rewards, Policy policy = {})
      : policy_(std::move(policy)), rewards_(rewards) {}
  void evaluate(const Flight<G>& flight, games::Random& random,
                Evaluation<G>& evaluation) override {
    if constexpr (Learning<Policy, G>) policy_.begin(flight.path());
    G game = flight.leaf;
    auto plies = static_cast<int>(flight.length);
    games::Result result = game.result();
    for (; !result.finished(); ++plies) {
      game.play(policy_.move(game, random));
      result = game.result();
    }
    Values<G> values = values_of<G>(result);
    if constexpr (Learning<Policy, G>) policy_.end(values);
    if (rewards_ != nullptr) rewards_->add_to(values, game, result, plies);
    evaluation.values = values;
  }

 private:
  Policy policy_;
  QualityRewards<G>* rewards_;
};

}  // namespace pitboss::engine
