#pragma once

#include <string>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/trajectory.hpp"
#include "engine/models.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// Slot: evaluates a leaf at once, blocking the caller. One thread at a time.
template <games::Game G>
class Evaluator {
 public:
  virtual ~Evaluator() = default;
  /// Called in the first slice of a search from `root`, of a game with these parameters, before any
  /// evaluation; may take long. Throws BadOption if the evaluator cannot serve the search.
  virtual void prepare(const G& /*root*/, const std::string& /*parameters*/) {}
  /// Evaluates the leaf of a simulation, which may be finished. Once a
  /// simulation, perhaps once more for a position between two half moves, and once for the root.
  virtual void evaluate(const Trajectory<G>& trajectory, games::Random& random,
                        Evaluation<G>& evaluation) = 0;
  /// Whether it gives priors for every unfinished leaf; else it gives none.
  [[nodiscard]] virtual bool has_priors() const { return false; }
  /// The network that evaluates, and how often it was asked; null if none does.
  [[nodiscard]] virtual const NetworkUse* network() const { return nullptr; }
};

}  // namespace pitboss::engine
