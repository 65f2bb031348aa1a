#pragma once

#include <string>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/trajectory.hpp"
#include "engine/models.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// Names a submitted leaf: from 0 up, below the number of leaves that the search keeps in flight.
using Ticket = int;

/// Slot: evaluates leaves later, in a batch or on another machine. Each search has its own, which
/// may be the front of an evaluator shared by many. One thread at a time calls it, and no call
/// waits for an evaluation. Every leaf submitted has to be evaluated in the end: a search that has
/// no bound of time waits for it.
template <games::Game G>
class BatchEvaluator {
 public:
  virtual ~BatchEvaluator() = default;
  /// As Evaluator::prepare.
  virtual void prepare(const G& /*root*/, const std::string& /*parameters*/) {}
  /// Takes an unfinished leaf to be evaluated. The evaluator copies what it needs: the trajectory
  /// is the caller's. A ticket is submitted again only after `collect` or `drop`, nor after this
  /// throws, which std::bad_alloc may.
  virtual void submit(Ticket ticket, const Trajectory<G>& trajectory) = 0;
  /// Hands out one evaluation that has arrived, in any order, and its ticket; false if there is
  /// none. The evaluation is valid until the next call. Throws BadOption if the evaluation of a
  /// leaf has failed: the search has then failed, and drops the others.
  [[nodiscard]] virtual bool collect(Ticket& ticket, Evaluation<G>& evaluation) = 0;
  /// Forgets all leaves submitted and not collected: none of them is handed out later.
  virtual void drop() = 0;
  /// Whether every evaluation has priors; else none has.
  [[nodiscard]] virtual bool has_priors() const { return false; }
  /// As Evaluator::network.
  [[nodiscard]] virtual const NetworkUse* network() const { return nullptr; }
};

}  // namespace pitboss::engine
