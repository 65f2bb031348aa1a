#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "engine/leaf/batch_evaluator.hpp"
#include "engine/search/search_state.hpp"
#include "engine/search/slice.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// The driver of a search by one thread whose leaves are evaluated later: it keeps several leaves
/// of one tree in flight. A leaf's visits count when it is sent (virtual visits), so that the next
/// one is selected as if the leaf's value were the mean so far. The search waits when the most
/// leaves are in flight, or when the next one is in flight already. The thread that runs the search
/// is the only one to call it.
template <games::Game G>
class InFlight {
 public:
  /// Keeps up to `most` leaves in flight, 1 to 65535 (Node::pending).
  InFlight(SearchState<G>& search, std::unique_ptr<BatchEvaluator<G>> evaluator, int most)
      : search_(search), evaluator_(std::move(evaluator)) {
    most = std::clamp(most, 1, 65535);
    trajectories_.assign(static_cast<std::size_t>(most), Trajectory<G>(search.root));
    for (Ticket t = most - 1; t >= 0; --t) free_.push_back(t);
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() = default;

  /// Begins a search. If it `needs_root`, `run` has the root evaluated first and calls `root_seen`
  /// with the evaluation before the first simulation.
  void begin(bool needs_root) { needs_root_ = needs_root; }
  /// As Search::run; never waits for an evaluation itself.
  template <class RootSeen>
  Progress run(Slice& slice, RootSeen&& root_seen);
  [[nodiscard]] BatchEvaluator<G>& evaluator() { return *evaluator_; }
  /// Takes back all leaves in flight, and their visits.
  void take_back();

 private:
  [[nodiscard]] Simulator<G>& simulator() { return search_.threads[0]->simulator; }
  [[nodiscard]] bool take_options();
  template <class RootSeen>
  bool back_up_arrivals(RootSeen&& root_seen);
  [[nodiscard]] bool can_send() const {
    return !free_.empty() && !root_in_flight_ && !search_.is_proven() &&
           search_.simulations_left() > in_flight();
  }
  [[nodiscard]] std::int64_t in_flight() const {
    return static_cast<std::int64_t>(trajectories_.size() - free_.size());
  }
  bool send_leaf();
  bool send_root();
  [[nodiscard]] bool is_in_flight(const Trajectory<G>& trajectory) const;
  void count(const Trajectory<G>& trajectory, const Values<G>& values);

  SearchState<G>& search_;
  std::unique_ptr<BatchEvaluator<G>> evaluator_;
  std::vector<Trajectory<G>> trajectories_;  ///< by ticket
  std::vector<Ticket> free_;                 ///< tickets of no leaf in flight
  bool needs_root_ = false;
  bool root_in_flight_ = false;
};

template <games::Game G>
template <class RootSeen>
Progress InFlight<G>::run(Slice& slice, RootSeen&& root_seen) {
  const auto end = [this] {
    take_back();
    return Progress::done;
  };
  for (;;) {
    if (!take_options()) return end();
    bool has_moved = back_up_arrivals(root_seen);
    if (search_.is_enough()) return end();
    const auto now = environment::AwakeClock::now();
    if (search_.is_out_of_time(now)) return end();
    if (needs_root_) {
      has_moved |= send_root();
    } else {
      // Finished and proven leaves are backed up at once: the loop ends so that the clock is read.
      for (std::size_t n = trajectories_.size(); n > 0 && can_send() && send_leaf(); --n) {
        has_moved = true;
      }
    }
    if (!has_moved) return Progress::waiting(search_.control.deadline());
    // Asked after leaves were sent, so that slices however short come to an end.
    if (slice.over(now)) return Progress::runnable;
  }
}

template <games::Game G>
bool InFlight<G>::take_options() {
  if (!search_.control.has_update()) return true;
  const EstimatorSet before = search_.control.options().estimators;
  search_.control.take_update();
  // The traces in flight are those of the old estimators.
  if (search_.control.options().estimators != before) {
    for (Trajectory<G>& trajectory : trajectories_) trajectory.trace = {};
  }
  return search_.hand_options_to(simulator());
}

/// Backs up all evaluations that have arrived; returns whether there were any.
template <games::Game G>
template <class RootSeen>
bool InFlight<G>::back_up_arrivals(RootSeen&& root_seen) {
  bool any = false;
  Ticket ticket = 0;
  Evaluation<G> evaluation;
  for (; evaluator_->collect(ticket, evaluation); any = true) {
    free_.push_back(ticket);
    if (std::exchange(root_in_flight_, false)) {
      root_seen(evaluation);
      continue;
    }
    Trajectory<G>& trajectory = trajectories_[static_cast<std::size_t>(ticket)];
    simulator().back_up(search_.origin(), trajectory, evaluation);
    count(trajectory, evaluation.values);
  }
  return any;
}

template <games::Game G>
void InFlight<G>::count(const Trajectory<G>& trajectory, const Values<G>& values) {
  ++search_.simulations;
  search_.max_depth = std::max(search_.max_depth, static_cast<int>(trajectory.length));
  search_.note_path(trajectory, values);
}

/// Selects one more leaf and sends it to the evaluator, or backs it up at once if it is finished or
/// proven. False, with no visit counted, if that leaf is in flight already.
template <games::Game G>
bool InFlight<G>::send_leaf() {
  const Ticket ticket = free_.back();
  Trajectory<G>& trajectory = trajectories_[static_cast<std::size_t>(ticket)];
  simulator().count_from(search_.reused + search_.simulations + in_flight());
  search_.begin_by_rule(simulator());
  simulator().select(search_.origin(), trajectory);
  if (is_in_flight(trajectory)) return false;
  simulator().add_virtual_visits(trajectory);
  const games::Result result = trajectory.leaf.result();
  if (trajectory.proof != Proof::none || result.finished()) {
    Evaluation<G> known;
    if (trajectory.proof == Proof::none) known.values = values_of<G>(result);
    simulator().back_up(search_.origin(), trajectory, known);
    count(trajectory, known.values);
    return true;
  }
  free_.pop_back();
  evaluator_->submit(ticket, trajectory);
  return true;
}

/// Whether another trajectory has the same leaf, which gets its moves when that one is backed up.
template <games::Game G>
bool InFlight<G>::is_in_flight(const Trajectory<G>& trajectory) const {
  if (trajectory.length == 0) return false;
  const Node& node = *trajectory.path().back().node;
  return node.visits > 0 && node.settled() == 0 && node.moves == 0 && node.proof == Proof::none &&
         !trajectory.leaf.result().finished();
}

template <games::Game G>
bool InFlight<G>::send_root() {
  needs_root_ = false;
  root_in_flight_ = true;
  const Ticket ticket = free_.back();
  free_.pop_back();
  Trajectory<G>& trajectory = trajectories_[static_cast<std::size_t>(ticket)];
  trajectory.leaf = search_.root;
  trajectory.length = 0;
  evaluator_->submit(ticket, trajectory);
  return true;
}

template <games::Game G>
void InFlight<G>::take_back() {
  evaluator_->drop();
  for (Ticket t = 0; t < static_cast<Ticket>(trajectories_.size()); ++t) {
    Trajectory<G>& trajectory = trajectories_[static_cast<std::size_t>(t)];
    if (trajectory.is_virtual) simulator().take_back(trajectory);
    if (std::ranges::find(free_, t) == free_.end()) free_.push_back(t);
  }
  needs_root_ |= std::exchange(root_in_flight_, false);
}

}  // namespace pitboss::engine
