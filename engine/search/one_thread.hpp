#pragma once

#include <algorithm>
#include <chrono>

#include "engine/search/search_state.hpp"
#include "engine/search/slice.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// The driver of a search by one thread whose leaves are evaluated at once: one simulation after
/// the other from the root. A seed gives the same search however it is cut into slices. Takes no
/// lock: no other thread reads or writes the state. Returns `done` or, when the slice is over,
/// `runnable`. If it is `Guided`, the root rule begins the simulations, and their paths come into
/// the state, as the limits say.
template <bool Guided, games::Game G>
Progress run_one_thread(SearchState<G>& search, Slice& slice) {
  Simulator<G>& simulator = search.threads[0]->simulator;
  if (search.is_proven()) return Progress::done;  // before the first simulation
  const Origin<G> root = search.origin();
  for (;;) {
    if (search.control.has_update()) {
      search.control.take_update();
      if (!search.hand_options_to(simulator)) return Progress::done;
    }
    if constexpr (Guided) search.begin_by_rule(simulator);
    const SimulationResult<G> result = simulator.simulate(root);
    search.max_depth = std::max(search.max_depth, result.depth);
    ++search.simulations;
    if constexpr (Guided) search.note_path(simulator.trajectory(), result.values);
    if (search.is_enough()) return Progress::done;
    if (!slice.pace().is_due()) continue;
    const auto now = environment::AwakeClock::now();
    if (search.is_out_of_time(now)) return Progress::done;
    if (slice.over(now)) return Progress::runnable;
    slice.pace().looked(now);
  }
}

}  // namespace pitboss::engine
