#pragma once

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/flight.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// Slot: what a leaf is worth, told at once. One thread.
template <games::Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Evaluates the leaf of a simulation, once for each; the leaf may be finished.
  virtual void evaluate(const Flight<G>& flight, games::Random& random,
                        Evaluation<G>& evaluation) = 0;
  /// Whether it gives priors for every unfinished leaf; else it gives none.
  [[nodiscard]] virtual bool has_priors() const { return false; }
};

}  // namespace pitboss::engine
