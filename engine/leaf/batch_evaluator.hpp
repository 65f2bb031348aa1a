#pragma once

#include <functional>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/flight.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// Names a leaf that a search has submitted: below the number of leaves it keeps in flight.
using Ticket = int;

/// Slot: what leaves are worth, told later: by a batch, by another machine. Each search has one of
/// its own, which may stand for something shared by many. One thread at a time; nothing blocks.
template <games::Game G>
class BatchEvaluator {
 public:
  virtual ~BatchEvaluator() = default;
  /// Takes an unfinished leaf to be evaluated. It has to be copied, and copied only: the flight is
  /// the caller's. A ticket is under way once at most.
  virtual void submit(Ticket ticket, const Flight<G>& flight) = 0;
  /// Hands out one evaluation that has arrived, whichever; false if there is none. It is valid
  /// until the next call.
  [[nodiscard]] virtual bool collect(Ticket& ticket, Evaluation<G>& evaluation) = 0;
  /// Forgets all that has been submitted and not collected: none of it is handed out later.
  virtual void drop() = 0;
  /// Sets what is called when there may be something to collect: from any thread, perhaps too
  /// often. The call does not block. When `on_ready` returns, no call of the function set before is
  /// under way.
  virtual void on_ready(std::function<void()> call) = 0;
  /// Whether it gives priors for every leaf; else it gives none.
  [[nodiscard]] virtual bool has_priors() const { return false; }
};

}  // namespace pitboss::engine
