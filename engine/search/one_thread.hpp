#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/leaf/network/leaf_batch.hpp"
#include "engine/search/company.hpp"
#include "engine/search/search_state.hpp"
#include "engine/search/slice.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// The driver of a search by one thread whose leaves are evaluated at once, or with those of other
/// searches: one simulation after the other from the root. A seed gives the same search however it
/// is cut into slices and steps. Takes no lock: no other thread reads or writes the state. If it is
/// `Guided`, the root rule begins the simulations, and their paths come into the state, as the
/// limits say.
template <bool Guided, games::Game G>
class OneThread {
 public:
  explicit OneThread(SearchState<G>& search)
      : search_(search), simulator_(search.threads[0]->simulator), root_(search.origin()) {}

  /// Makes simulations for a slice. Returns `done` or, when the slice is over, `runnable`.
  Progress run(Slice& slice);
  /// The same, while the company's searches make their steps.
  Progress run_with(Company& company, Slice& slice);
  /// Goes on to the next leaf about which there is something to ask, and leaves it in the batch,
  /// which is to be evaluated before the next call of a member. Returns `done` when the search is
  /// over, and `runnable` also after many simulations without such a leaf.
  Progress step(LeafBatch& batch, SearchControl::TimePoint now);
  /// Ends the simulation that has left its leaf in a batch.
  void take_answer() {
    if (std::exchange(search_.has_asked, false)) count(simulator_.answer(root_));
  }

 private:
  /// Before a simulation: a search makes at least one unless it is proven.
  [[nodiscard]] bool is_enough() const {
    return search_.is_proven() || (search_.simulations > 0 && search_.is_enough());
  }
  [[nodiscard]] bool is_out_of_time(SearchControl::TimePoint now) const {
    return search_.simulations > 0 && search_.is_out_of_time(now);
  }
  [[nodiscard]] bool has_used_up(const Slice& slice) const {
    const auto most = search_.control.limits().processor_time;
    return most && search_.processor_time + slice.used() >= *most;
  }
  /// Before a simulation; false: the search is over.
  [[nodiscard]] bool prepare() {
    if (search_.control.has_update()) {
      search_.control.take_update();
      if (!search_.hand_options_to(simulator_)) return false;
    }
    if constexpr (Guided) search_.begin_by_rule(simulator_);
    return true;
  }
  [[gnu::always_inline]] void count(const SimulationResult<G>& result) {
    search_.max_depth = std::max(search_.max_depth, result.depth);
    ++search_.simulations;
    if constexpr (Guided) search_.note_path(simulator_.trajectory(), result.values);
  }

  SearchState<G>& search_;
  Simulator<G>& simulator_;
  const Origin<G> root_;
};

template <bool Guided, games::Game G>
Progress OneThread<Guided, G>::run(Slice& slice) {
  take_answer();
  if (is_enough()) return Progress::done;
  for (;;) {
    if (!prepare()) return Progress::done;
    count(simulator_.simulate(root_));
    if (search_.is_enough()) return Progress::done;
    if (!slice.pace().is_due()) continue;
    const auto now = environment::AwakeClock::now();
    if (search_.is_out_of_time(now) || has_used_up(slice)) return Progress::done;
    if (slice.over(now)) return Progress::runnable;
    slice.pace().looked(now);
  }
}

template <bool Guided, games::Game G>
Progress OneThread<Guided, G>::step(LeafBatch& batch, SearchControl::TimePoint now) {
  constexpr int most = 16;  // other searches wait
  take_answer();
  for (int made = 0; made < most; ++made) {
    if (is_enough() || is_out_of_time(now) || !prepare()) return Progress::done;
    search_.has_asked = simulator_.ask(root_, batch);
    if (search_.has_asked) return Progress::runnable;
    count(simulator_.answer(root_));
  }
  return Progress::runnable;
}

template <bool Guided, games::Game G>
Progress OneThread<Guided, G>::run_with(Company& company, Slice& slice) {
  for (;;) {
    const auto now = environment::AwakeClock::now();
    const Progress progress = step(company.batch(), now);
    company.step(now);
    if (progress == Progress::done) return progress;
    if (!slice.over(now)) continue;
    take_answer();
    return is_enough() ? Progress::done : Progress::runnable;
  }
}

}  // namespace pitboss::engine
