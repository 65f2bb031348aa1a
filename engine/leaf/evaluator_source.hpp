#pragma once

#include <memory>

#include "engine/leaf/batch_evaluator.hpp"
#include "engine/leaf/evaluator.hpp"
#include "engine/options/options.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// Where a search gets its evaluator from if not from the options alone. The evaluators that the
/// options name need no source.
template <games::Game G>
class EvaluatorSource {
 public:
  virtual ~EvaluatorSource() = default;
  /// One that answers at once, for one thread of a search with `options`; null: as they say.
  [[nodiscard]] virtual std::unique_ptr<Evaluator<G>> evaluator(const Options& /*options*/) const {
    return nullptr;
  }
  /// One that answers later, for a search with `options`; null: leaves are evaluated at once.
  [[nodiscard]] virtual std::unique_ptr<BatchEvaluator<G>> batch_evaluator(
      const Options& /*options*/) const {
    return nullptr;
  }
  /// How many leaves of one tree are in flight at once at most, 1 or more. More hide the time until
  /// a value comes, and choose with less knowledge.
  [[nodiscard]] virtual int in_flight() const { return 1; }
};

}  // namespace pitboss::engine
