#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "engine/drivers/search_state.hpp"
#include "engine/drivers/slice.hpp"
#include "engine/leaf/batch_evaluator.hpp"

namespace pitboss::engine {

/// The driver of a search by one thread whose leaves are evaluated later: it keeps several leaves
/// of one tree in flight. A leaf's visits count when it departs (virtual visits), so that the next
/// one is selected as if the leaf's value were the mean so far. The search waits when the most
/// leaves are in flight, or when the next one is in flight already. One thread at a time, the one
/// that runs the search.
template <games::Game G>
class InFlight {
 public:
  /// Keeps up to `most` leaves in flight, 1 to 65535 (Node::pending).
  InFlight(SearchState<G>& search, std::unique_ptr<BatchEvaluator<G>> evaluator, int most)
      : search_(search), evaluator_(std::move(evaluator)) {
    most = std::clamp(most, 1, 65535);
    flights_.assign(static_cast<std::size_t>(most), Flight<G>(search.root));
    for (Ticket t = most - 1; t >= 0; --t) free_.push_back(t);
  }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() = default;

  /// Begins a search. If it `needs_root`, `run` has the root evaluated first and calls `root_seen`
  /// with the evaluation before the first simulation.
  void begin(bool needs_root) { needs_root_ = needs_root; }
  template <class RootSeen>
  Progress run(Slice& slice, RootSeen&& root_seen);
  [[nodiscard]] BatchEvaluator<G>& evaluator() { return *evaluator_; }
  /// Takes back all leaves in flight, and their visits.
  void withdraw();

 private:
  [[nodiscard]] Simulator<G>& simulator() { return search_.lanes[0]->simulator; }
  [[nodiscard]] bool take_options();
  template <class RootSeen>
  bool land(RootSeen&& root_seen);
  [[nodiscard]] bool can_depart() const {
    return !free_.empty() && !root_in_flight_ && !search_.is_proven() &&
           search_.simulations_left() > under_way();
  }
  [[nodiscard]] std::int64_t under_way() const {
    return static_cast<std::int64_t>(flights_.size() - free_.size());
  }
  bool depart();
  bool ask_for_root();
  [[nodiscard]] bool is_in_flight(const Flight<G>& flight) const;
  void count(const Flight<G>& flight);

  SearchState<G>& search_;
  std::unique_ptr<BatchEvaluator<G>> evaluator_;
  std::vector<Flight<G>> flights_;  ///< by ticket
  std::vector<Ticket> free_;        ///< tickets that are not under way
  bool needs_root_ = false;
  bool root_in_flight_ = false;
};

template <games::Game G>
template <class RootSeen>
Progress InFlight<G>::run(Slice& slice, RootSeen&& root_seen) {
  const auto end = [this] {
    withdraw();
    return Progress::done;
  };
  for (;;) {
    if (!take_options()) return end();
    bool has_moved = land(root_seen);
    if (search_.is_enough()) return end();
    const auto now = std::chrono::steady_clock::now();
    if (search_.is_out_of_time(now)) return end();
    if (needs_root_) {
      has_moved |= ask_for_root();
    } else {
      // Finished and proven leaves arrive at once: the loop ends so that the clock is read.
      for (std::size_t n = flights_.size(); n > 0 && can_depart() && depart(); --n) {
        has_moved = true;
      }
    }
    if (!has_moved) return Progress::waiting(search_.control.deadline());
    // Asked after the departures, so that slices however short come to an end.
    if (slice.over(now)) return Progress::runnable;
  }
}

template <games::Game G>
bool InFlight<G>::take_options() {
  if (!search_.control.has_update()) return true;
  const EstimatorSet before = search_.control.options().estimators;
  search_.control.take_update();
  // The trajectories in flight are those of the old estimators.
  if (search_.control.options().estimators != before) {
    for (Flight<G>& flight : flights_) flight.trajectory = {};
  }
  return search_.hand_options_to(simulator());
}

/// Backs up all evaluations that have arrived; returns whether there were any.
template <games::Game G>
template <class RootSeen>
bool InFlight<G>::land(RootSeen&& root_seen) {
  bool any = false;
  Ticket ticket = 0;
  Evaluation<G> evaluation;
  for (; evaluator_->collect(ticket, evaluation); any = true) {
    free_.push_back(ticket);
    if (std::exchange(root_in_flight_, false)) {
      root_seen(evaluation);
      continue;
    }
    Flight<G>& flight = flights_[static_cast<std::size_t>(ticket)];
    simulator().arrive(search_.origin(), flight, evaluation);
    count(flight);
  }
  return any;
}

template <games::Game G>
void InFlight<G>::count(const Flight<G>& flight) {
  ++search_.simulations;
  search_.max_depth = std::max(search_.max_depth, static_cast<int>(flight.length));
}

/// One more leaf departs, or arrives at once if it is finished or proven. False, with no visit
/// counted, if the next leaf is in flight.
template <games::Game G>
bool InFlight<G>::depart() {
  const Ticket ticket = free_.back();
  Flight<G>& flight = flights_[static_cast<std::size_t>(ticket)];
  simulator().count_from(search_.reused + search_.simulations + under_way());
  simulator().descend(search_.origin(), flight);
  if (is_in_flight(flight)) return false;
  simulator().depart(flight);
  const games::Result result = flight.leaf.result();
  if (flight.proof != Proof::none || result.finished()) {
    Evaluation<G> known;
    if (flight.proof == Proof::none) known.values = values_of<G>(result);
    simulator().arrive(search_.origin(), flight, known);
    count(flight);
    return true;
  }
  free_.pop_back();
  evaluator_->submit(ticket, flight);
  return true;
}

/// Whether another flight has the same leaf, which gets its moves when that flight arrives.
template <games::Game G>
bool InFlight<G>::is_in_flight(const Flight<G>& flight) const {
  if (flight.length == 0) return false;
  const Node& node = *flight.path().back().node;
  return node.visits > 0 && node.settled() == 0 && node.moves == 0 && node.proof == Proof::none &&
         !flight.leaf.result().finished();
}

template <games::Game G>
bool InFlight<G>::ask_for_root() {
  needs_root_ = false;
  root_in_flight_ = true;
  const Ticket ticket = free_.back();
  free_.pop_back();
  Flight<G>& flight = flights_[static_cast<std::size_t>(ticket)];
  flight.leaf = search_.root;
  flight.length = 0;
  evaluator_->submit(ticket, flight);
  return true;
}

template <games::Game G>
void InFlight<G>::withdraw() {
  evaluator_->drop();
  for (Ticket t = 0; t < static_cast<Ticket>(flights_.size()); ++t) {
    Flight<G>& flight = flights_[static_cast<std::size_t>(t)];
    if (flight.departed) simulator().withdraw(flight);
    if (std::ranges::find(free_, t) == free_.end()) free_.push_back(t);
  }
  needs_root_ |= std::exchange(root_in_flight_, false);
}

}  // namespace pitboss::engine
