#pragma once

#include <vector>

#include "engine/estimators/context_table.hpp"
#include "engine/estimators/trail.hpp"
#include "engine/playout.hpp"

namespace pitboss::engine {

/// Playouts that now and then play the legal move with the best mean result in this search, tree
/// and playouts together, whatever the position (move-average sampling technique: Finnsson,
/// Bjornsson 2008; how the authors of Quality-based Rewards mix it into a policy). Bonuses do not
/// enter the means. A move that is not known counts as a draw; the best are equally likely.
template <games::Game G, class Policy>
class MastEvaluator final : public Evaluator<G> {
 public:
  /// `rate`, 0 to 1, is read at every move, so that it can change while a search runs; it, the
  /// `means` and `rewards`, which may be null, outlive the evaluator.
  MastEvaluator(const double& rate, ContextTable& means, QualityRewards<G>* rewards)
      : rate_(rate), means_(means), rewards_(rewards) {
    played_.reserve(G::max_plies);
  }
  [[nodiscard]] Values<G> evaluate(const G& leaf, std::span<const Step> path,
                                   games::Random& random) override {
    played_.clear();
    for (const Step& step : path) {
      played_.push_back({mean_key(step.block->move()[step.move], step.mover), step.mover});
    }
    G game = leaf;
    while (!game.result().finished()) {
      const games::Move move = is_due(random) ? best(game, random) : Policy::move(game, random);
      played_.push_back({mean_key(move, game.to_move()), game.to_move()});
      game.play(move);
    }
    Values<G> values = values_of<G>(game.result());
    for (const auto& [key, mover] : played_) means_.add(key, values[games::index(mover)]);
    if (rewards_ != nullptr) rewards_->add_to(values, game, static_cast<int>(played_.size()));
    return values;
  }

 private:
  struct Played {
    std::uint64_t key;
    games::Colour mover;
  };
  /// Of a move in any context.
  [[nodiscard]] static std::uint64_t mean_key(games::Move move, games::Colour mover) {
    return key_of(0, action_of(move, mover));
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
  QualityRewards<G>* rewards_;
  std::vector<Played> played_;
};

}  // namespace pitboss::engine
