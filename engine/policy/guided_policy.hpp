#pragma once

#include "engine/estimators/estimators.hpp"

namespace pitboss::engine {

/// Playout policy: the estimators choose by the same rule as in the tree (ME-MCTS, sec. 3: no
/// distinction between tree policy and rollout policy).
template <games::Game G>
class GuidedPolicy {
 public:
  /// `estimators` must outlive the policy.
  explicit GuidedPolicy(Estimators<G>& estimators) : estimators_(estimators) {}
  [[nodiscard]] games::Move move(const G& game, games::Random& random) {
    if (!estimators_.any_to_ask(game)) {
      const games::Move move = games::random_move(game, random);
      estimators_.follow(game, move, 0, false);
      return move;
    }
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    const std::span list(moves.begin(), moves.end());
    const int chosen = estimators_.choose(game, list, nullptr, random);
    const games::Move move = list[static_cast<std::size_t>(chosen)];
    estimators_.follow(game, move, chosen, false);
    return move;
  }

 private:
  Estimators<G>& estimators_;
};

/// Playout policy: the game's own, from whose moves the estimators learn, while they choose in the
/// tree only.
template <games::Game G>
class ObservedPolicy {
 public:
  /// `estimators` must outlive the policy.
  explicit ObservedPolicy(Estimators<G>& estimators) : estimators_(estimators) {}
  [[nodiscard]] games::Move move(const G& game, games::Random& random) {
    const games::Move move = game.informed_move(random);
    estimators_.ask_none();
    estimators_.follow(game, move, 0, false);
    return move;
  }

 private:
  Estimators<G>& estimators_;
};

}  // namespace pitboss::engine
