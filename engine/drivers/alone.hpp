#pragma once

#include <algorithm>
#include <chrono>

#include "engine/drivers/search_state.hpp"
#include "engine/drivers/slice.hpp"

namespace pitboss::engine {

/// The driver of a search by one thread whose leaves are evaluated at once: one simulation after
/// the other from the root. A seed gives the same search however it is cut into slices.
template <games::Game G>
Progress run_alone(SearchState<G>& search, Slice& slice) {
  Simulator<G>& simulator = search.lanes[0]->simulator;
  if (search.is_proven()) return Progress::done;  // before the first simulation
  const Origin<G> root = search.origin();
  for (;;) {
    if (search.control.has_update()) {
      search.control.take_update();
      if (!search.hand_options_to(simulator)) return Progress::done;
    }
    const int depth = simulator.simulate(root).depth;
    search.max_depth = std::max(search.max_depth, depth);
    ++search.simulations;
    if (search.is_enough()) return Progress::done;
    if (!slice.pace().is_due()) continue;
    const auto now = std::chrono::steady_clock::now();
    if (search.is_out_of_time(now)) return Progress::done;
    if (slice.over(now)) return Progress::runnable;
    slice.pace().looked(now);
  }
}

}  // namespace pitboss::engine
