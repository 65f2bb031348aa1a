#pragma once

#include <memory>

#include "engine/leaf/batch_evaluator.hpp"
#include "engine/leaf/evaluator.hpp"
#include "engine/models.hpp"
#include "engine/options/options.hpp"
#include "engine/progress.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// Makes the evaluators of a search that the options alone do not name. Whether the options fit the
/// game is checked without regard to the source.
template <games::Game G>
class EvaluatorSource {
 public:
  virtual ~EvaluatorSource() = default;
  /// Throws BadOption if there is not what the options ask for.
  virtual void check(const Options& /*options*/) const {}
  /// Whether it has networks, or stands for them.
  [[nodiscard]] virtual bool has_networks() const { return true; }
  /// The features that options may name; null: there are none.
  [[nodiscard]] virtual std::shared_ptr<FeatureSets> feature_sets() const { return nullptr; }
  /// An evaluator for one thread of a search with `options`; null: the one that the options name.
  [[nodiscard]] virtual std::unique_ptr<Evaluator<G>> evaluator(const Options& /*options*/) const {
    return nullptr;
  }
  /// An evaluator that answers later, for a search with `options`, which then has one thread,
  /// whatever the option `threads`; null: leaves are evaluated at once. The evaluator calls `waker`
  /// when there is something to collect.
  [[nodiscard]] virtual std::unique_ptr<BatchEvaluator<G>> batch_evaluator(
      const Options& /*options*/, const Waker& /*waker*/) const {
    return nullptr;
  }
  /// Most leaves of one tree in flight at once, 1 to 65535. More leaves hide more of an
  /// evaluation's latency, but each is selected with fewer results known.
  [[nodiscard]] virtual int in_flight(const Options& /*options*/) const { return 1; }
};

}  // namespace pitboss::engine
