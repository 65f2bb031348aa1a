#pragma once

#include <utility>
#include <vector>

#include "engine/estimators/context_table.hpp"
#include "engine/estimators/trail.hpp"
#include "engine/policy/playout_policies.hpp"

namespace pitboss::engine {

/// MAST, move-average sampling technique (Finnsson, Bjornsson 2008): with probability `rate` plays
/// the legal move with the best mean result in this search, in the tree and in playouts, whatever
/// the position; else a move of `Policy` (the authors of Quality-based Rewards mix the two in this
/// way). An unknown move counts as a draw; ties are broken at random.
template <games::Game G, class Policy>
class MastPolicy {
 public:
  /// `rate`, in [0, 1], is read at every move, so that it can change during a search. `rate` and
  /// `means` must outlive the policy.
  MastPolicy(const double& rate, ContextTable& means, Policy other = {})
      : rate_(rate), means_(means), other_(std::move(other)) {
    played_.reserve(G::max_plies);
  }
  void begin(std::span<const Edge> path) {
    if constexpr (Learning<Policy, G>) other_.begin(path);
    played_.clear();
    for (const Edge& edge : path) note(edge.block->move()[edge.move], edge.mover);
  }
  [[nodiscard]] games::Move move(const G& game, games::Random& random) {
    const games::Move move = is_due(random) ? best(game, random) : other_.move(game, random);
    note(move, game.to_move());
    return move;
  }
  void end(const games::Values<G>& results) {
    if constexpr (Learning<Policy, G>) other_.end(results);
    for (const auto& [key, mover] : played_) means_.add(key, results[games::index(mover)]);
  }

 private:
  struct Played {
    std::uint64_t key;
    games::Colour mover;
  };
  /// The key of a move in all contexts.
  [[nodiscard]] static std::uint64_t mean_key(games::Move move, games::Colour mover) {
    return key_of(0, action_of(move, mover));
  }
  void note(games::Move move, games::Colour mover) {
    played_.push_back({mean_key(move, mover), mover});
  }

  [[nodiscard]] bool is_due(games::Random& random) const {
    constexpr int steps = 1 << 30;
    return random.below(steps) < rate_ * steps;
  }
  [[nodiscard]] games::Move best(const G& game, games::Random& random) const {
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    games::Move best{};
    float highest = -1;
    int equals = 0;
    for (const games::Move move : moves) {
      const ContextTable::Mean mean = means_.of(mean_key(move, game.to_move()));
      const float value = mean.count == 0 ? 0.5F : mean.value;
      if (value > highest) {
        highest = value;
        best = move;
        equals = 1;
      } else if (value == highest && random.below(++equals) == 0) {
        best = move;
      }
    }
    return best;
  }

  const double& rate_;
  ContextTable& means_;
  Policy other_;
  std::vector<Played> played_;
};

}  // namespace pitboss::engine
