#pragma once

#include <memory>

#include "engine/estimators/abstractor.hpp"
#include "engine/estimators/blocks.hpp"

namespace pitboss::engine {

/// The context function of an estimator; null for `history`, and for an estimator that the game
/// does not support (check_options refuses it).
template <games::Game G>
[[nodiscard]] std::unique_ptr<Abstractor<G>> make_abstractor(Estimator kind) {
  switch (kind) {
    case Estimator::history:
      return nullptr;
    case Estimator::global:
      return std::make_unique<GlobalAbstractor<G>>();
    case Estimator::block:
      if constexpr (games::HasTarget<G>) return std::make_unique<BlockAbstractor<G>>();
      return nullptr;
    case Estimator::own_moves:
      return std::make_unique<OwnMovesAbstractor<G>>();
    case Estimator::two_gram:
      return std::make_unique<TwoGramAbstractor<G>>();
    case Estimator::three_gram:
      return std::make_unique<ThreeGramAbstractor<G>>();
    case Estimator::rave:
      return std::make_unique<RaveAbstractor<G>>();
  }
  return nullptr;
}

}  // namespace pitboss::engine
