#pragma once

#include <string>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/trajectory.hpp"
#include "engine/models.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

class LeafBatch;

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

  // An evaluator that asks a network may evaluate in two steps, of which the result is the same.

  /// Whether it has these steps.
  [[nodiscard]] virtual bool has_questions() const { return false; }
  /// Leaves what the network is to say of a leaf in the batch; false if there is nothing to ask.
  [[nodiscard]] virtual bool ask(const Trajectory<G>& /*trajectory*/, LeafBatch& /*batch*/) {
    return false;
  }
  /// Evaluates the leaf that was asked last, when the batch has been evaluated.
  virtual void answer(const Trajectory<G>& /*trajectory*/, Evaluation<G>& /*evaluation*/) {}

  /// Whether it gives priors for every unfinished leaf; else it gives none.
  [[nodiscard]] virtual bool has_priors() const { return false; }
  /// The network that evaluates, and how often it was asked; null if none does.
  [[nodiscard]] virtual const NetworkUse* network() const { return nullptr; }
};

}  // namespace pitboss::engine
