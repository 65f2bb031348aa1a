#pragma once

#include <type_traits>
#include <utility>

#include "engine/leaf/evaluator.hpp"
#include "engine/leaf/quality_rewards.hpp"
#include "engine/policy/playout_policies.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

/// The game whose moves `Policy` draws in a playout from positions of G: in a search by half moves
/// the whole game, which takes half the moves, unless the policy itself knows half moves.
template <games::Game G, class Policy>
using PlayedOut = std::conditional_t<PlaysAnyGame<Policy>, games::Whole<G>, G>;

/// Evaluator: the reward of one playout.
template <games::Game G, class Policy>
class PlayoutEvaluator final : public Evaluator<G> {
  using Played = PlayedOut<G, Policy>;

 public:
  /// `rewards` may be null, else must outlive the evaluator.
  explicit PlayoutEvaluator(QualityRewards<G>* rewards, Policy policy = {})
      : policy_(std::move(policy)), rewards_(rewards) {}
  void evaluate(const Trajectory<G>& trajectory, games::Random& random,
                Evaluation<G>& evaluation) override {
    if constexpr (Learning<Policy, G>) policy_.begin(trajectory.path());
    Played game = begin(trajectory.leaf, random);
    // Of Played, from the root on.
    auto moves = static_cast<int>(trajectory.length);
    if constexpr (is_completed) moves = games::plies_of<G>(moves);
    games::Result result = game.result();
    for (; !result.finished(); ++moves) {
      game.play(policy_.move(game, random));
      result = game.result();
    }
    Values<G> values = values_of<G>(result);
    if constexpr (Learning<Policy, G>) policy_.end(values);
    if (rewards_ != nullptr) rewards_->add_to(values, game, result, games::plies_of<Played>(moves));
    evaluation.values = values;
  }

 private:
  static constexpr bool is_completed = !std::is_same_v<Played, G>;
  [[nodiscard]] static decltype(auto) begin(const G& leaf, [[maybe_unused]] games::Random& random) {
    if constexpr (is_completed) {
      return leaf.completed(random);
    } else {
      return (leaf);
    }
  }

  Policy policy_;
  QualityRewards<G>* rewards_;
};

}  // namespace pitboss::engine
