#pragma once

#include "engine/estimators/estimators.hpp"
#include "engine/playout.hpp"

namespace pitboss::engine {

/// Playouts whose moves the estimators choose, by the same rule as in the tree (ME-MCTS, sec. 3: no
/// distinction between tree policy and rollout policy).
template <games::Game G>
class GuidedPlayout final : public Evaluator<G> {
 public:
  /// `estimators`, and `rewards` if not null, outlive the evaluator.
  GuidedPlayout(Estimators<G>& estimators, QualityRewards<G>* rewards)
      : estimators_(estimators), rewards_(rewards) {}
  [[nodiscard]] Values<G> evaluate(const G& leaf, std::span<const Step> path,
                                   games::Random& random) override {
    G game = leaf;
    auto plies = static_cast<int>(path.size());
    for (; !game.result().finished(); ++plies) {
      games::MoveList<G::max_moves> moves;
      game.legal_moves(moves);
      const std::span list(moves.begin(), moves.end());
      const int chosen = estimators_.choose(game, list, nullptr, random);
      const games::Move move = list[static_cast<std::size_t>(chosen)];
      estimators_.follow(game, move, chosen, false);
      game.play(move);
    }
    Values<G> values = values_of<G>(game.result());
    if (rewards_ != nullptr) rewards_->add_to(values, game, plies);
    return values;
  }

 private:
  Estimators<G>& estimators_;
  QualityRewards<G>* rewards_;
};

}  // namespace pitboss::engine
