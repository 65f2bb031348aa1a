#pragma once

// The members of Searcher<G> that search. Included only by the sources that instantiate it.

#include <algorithm>
#include <thread>
#include <utility>

#include "engine/drivers/pace.hpp"
#include "engine/drivers/spin_pause.hpp"
#include "engine/drivers/thread_time.hpp"
#include "engine/search/searcher.hpp"

namespace pitboss::engine {

/// A thread's turn: over when it has lasted its time and the thread had at least half of it. On a
/// busy machine the thread may have been waiting for its processor instead of searching; without
/// the second condition searches that share a worker would not progress alike.
template <games::Game G>
class Searcher<G>::Slice {
 public:
  explicit Slice(std::chrono::microseconds length) : length_(length) {}
  [[nodiscard]] bool over(Clock::time_point now) const {
    return now - begin_ >= length_ && thread_time() - used_before_ >= length_ / 2;
  }
  [[nodiscard]] Clock::time_point begin() const { return begin_; }
  /// When the thread looks whether it is over.
  [[nodiscard]] Pace& pace() { return pace_; }

 private:
  std::chrono::microseconds length_;
  Clock::time_point begin_ = Clock::now();
  Pace pace_{begin_};
  std::chrono::nanoseconds used_before_ = thread_time();
};

template <games::Game G>
Progress Searcher<G>::run(std::chrono::microseconds slice_length) {
  Slice slice(slice_length);
  {
    const auto lock = locked();
    if (!started_) {
      running_ = false;  // if this throws
      start();
      running_ = true;
    }
  }
  const Progress progress = alone() ? run_alone(slice) : run_shared(*lanes_[0], slice);
  auto lock = locked();
  spent_ += Clock::now() - slice.begin();
  lanes_[0]->note_memory();
  if (progress == Progress::done) {
    running_ = false;
    left_.wait(lock, [&] { return helpers_ == 0; });
  }
  return progress;
}

template <games::Game G>
Progress Searcher<G>::help(std::chrono::microseconds slice_length) {
  Slice slice(slice_length);
  Lane* lane = nullptr;
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {  // somebody begins, which can take long, or is at the trunk
      std::this_thread::yield();
      return Progress::runnable;
    }
    if (!running_ || stopped_.load(std::memory_order_relaxed)) return Progress::done;
    if (!started_) return Progress::runnable;
    // The first lane is for the thread that calls `run`.
    const auto free = std::find_if(lanes_.begin() + 1, lanes_.end(),
                                   [](const auto& other) { return !other->taken; });
    if (free == lanes_.end()) return Progress::done;
    lane = free->get();
    lane->taken = true;
    ++helpers_;
  }
  const Progress progress = run_shared(*lane, slice);
  const auto lock = locked();
  lane->taken = false;
  --helpers_;
  left_.notify_one();
  return progress;
}

template <games::Game G>
Progress Searcher<G>::run_alone(Slice& slice) {
  Simulator<G>& simulator = lanes_[0]->simulator;
  if (is_proven()) return Progress::done;  // before the first simulation
  for (;;) {
    if (updated_.load(std::memory_order_relaxed)) {
      take_update();
      if (!obey(simulator)) return Progress::done;
    }
    const int depth =
        simulator.simulate(root_, root_node_, root_node_.proof, root_.to_move()).depth;
    max_depth_ = std::max(max_depth_, depth);
    ++simulations_;
    if (enough()) return Progress::done;
    if (!slice.pace().is_due()) continue;
    const auto now = Clock::now();
    if (out_of_time(now)) return Progress::done;
    if (slice.over(now)) return Progress::runnable;
    slice.pace().looked(now);
  }
}

/// Takes subtrees from the trunk, searches them, brings them back.
template <games::Game G>
Progress Searcher<G>::run_shared(Lane& lane, Slice& slice) {
  for (;;) {
    const auto now = Clock::now();
    {
      const auto lock = locked();
      if (!lane.leases.empty()) give_back(lane);
      if (updated_.load(std::memory_order_relaxed)) take_update();
      const bool over = simulations_ > 0 && (enough() || out_of_time(now));
      if (over || is_proven()) return Progress::done;
      if (slice.over(now)) return Progress::runnable;
      take_leases(lane);
    }
    if (!lane.leases.empty()) {
      simulate_leases(lane, slice);
    } else {
      await_return();  // what is worth searching is being searched
    }
  }
}

/// Hands the live options to a simulator. Without memory for what they ask the search ends with
/// what it has found, and false is returned.
template <games::Game G>
bool Searcher<G>::obey(Simulator<G>& simulator) {
  try {
    simulator.set(options_, epoch_);
    return true;
  } catch (const std::bad_alloc&) {
    stopped_.store(true, std::memory_order_relaxed);
    return false;
  }
}

template <games::Game G>
void Searcher<G>::take_leases(Lane& lane) {
  Simulator<G>& simulator = lane.simulator;
  if (simulator.selector().epoch() != epoch_ && !obey(simulator)) return;
  if (common_novelty_ && lane.unexchanged >= exchange_interval()) {
    simulator.slots().novelty->exchange(*common_novelty_);
    lane.unexchanged = 0;
  }
  const std::int64_t left =
      std::min(limits_.simulations.value_or(max_simulations), max_simulations - reused_) - leased_;
  const std::int64_t simulations = left > 0 ? trunk_.lease(lane.leases, left, simulator) : 0;
  if (simulations == 0) return;
  lane.deadline = deadline();
  lane.is_late = false;
  simulator.count_from(root_node_.visits - 1 - simulations);
  leased_ += simulations;
}

/// Often enough that a thread misses little of what the others have seen.
template <games::Game G>
std::int64_t Searcher<G>::exchange_interval() const {
  return std::clamp<std::int64_t>(simulations_ / 32, 16, 1024);
}

/// The part of a shared search that threads do side by side.
template <games::Game G>
void Searcher<G>::simulate_leases(Lane& lane, Slice& slice) {
  lane.leases.find_positions(root_);
  for (Lease<G>& lease : lane.leases) {
    // One simulation at least, so that turns however short come to an end.
    const bool is_first = &lease == &lane.leases[0];
    if (is_first || !is_over(lane, lease)) simulate_lease(lane, lease, slice);
  }
}

/// Whether the holder of a lease is to bring it back.
template <games::Game G>
bool Searcher<G>::is_over(const Lane& lane, const Lease<G>& lease) const {
  return lane.is_late || lease.wanted.load(std::memory_order_relaxed) ||
         stopped_.load(std::memory_order_relaxed) || lease.proof != Proof::none;
}

template <games::Game G>
void Searcher<G>::simulate_lease(Lane& lane, Lease<G>& lease, Slice& slice) {
  lane.simulator.begin_below(lane.leases.path_to(lease));
  const games::Colour seat = root_.to_move();
  for (int i = 0; i < lease.simulations; ++i) {
    if (i > 0 && is_over(lane, lease)) break;
    const auto [values, novelty, depth] =
        lane.simulator.simulate(lease.position, *lease.node, lease.proof, seat);
    for (int c = 0; c < G::players; ++c) lease.samples[c].add(values[c], novelty);
    lane.depth = std::max(lane.depth, depth);
    if (lane.is_late || !slice.pace().is_due()) continue;
    const auto now = Clock::now();
    lane.is_late = now >= lane.deadline || slice.over(now);
    slice.pace().looked(now);
  }
}

template <games::Game G>
void Searcher<G>::give_back(Lane& lane) {
  const int above = static_cast<int>(lane.leases.depth());
  max_depth_ = std::max(max_depth_, above + std::exchange(lane.depth, 0));
  lane.note_memory();
  returns_.fetch_add(1, std::memory_order_relaxed);
  if (lane.simulator.selector().epoch() != epoch_) obey(lane.simulator);
  for (const Lease<G>& lease : lane.leases) {
    const std::int64_t made = lease.samples[0].count;
    simulations_ += made;
    leased_ -= lease.simulations - made;
    lane.unexchanged += made;
  }
  trunk_.give_back(lane.leases, lane.simulator);
}

/// Waits until a subtree has come back, perhaps; without touching what its holder needs.
template <games::Game G>
void Searcher<G>::await_return() const {
  constexpr int patience = 30;
  const std::uint32_t before = returns_.load(std::memory_order_relaxed);
  for (int i = 0; i < patience && returns_.load(std::memory_order_relaxed) == before; ++i) {
    spin_pause();
  }
  std::this_thread::yield();
}

/// Locks without going to sleep if another thread is at the trunk: that takes less than a
/// microsecond.
template <games::Game G>
std::unique_lock<std::mutex> Searcher<G>::locked() const {
  constexpr int patience = 100;
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock(); ++tries) {
    if (tries > patience) std::this_thread::yield();
    spin_pause();  // whoever is at the trunk needs what lies beside the lock
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

/// Locks when no thread has the whole tree to itself.
template <games::Game G>
std::unique_lock<std::mutex> Searcher<G>::locked_with_root() const {
  auto lock = locked();
  while (trunk_.is_leased(root_node_)) {
    lock.unlock();
    await_return();
    lock = locked();
  }
  return lock;
}

template <games::Game G>
void Searcher<G>::forget() {
  const auto lock = locked();
  started_ = false;
  for (const auto& lane : lanes_) lane->simulator.forget();
}

template <games::Game G>
bool Searcher<G>::enough() const {
  return stopped_.load(std::memory_order_relaxed) || is_proven() ||
         simulations_ >= limits_.simulations.value_or(max_simulations) ||
         simulations_ + reused_ >= max_simulations;
}

template <games::Game G>
bool Searcher<G>::out_of_time(Clock::time_point now) const {
  return now >= deadline() || (limits_.until_full && tree_->full());
}

template <games::Game G>
auto Searcher<G>::deadline() const -> Clock::time_point {
  auto earliest = Clock::time_point::max();
  if (limits_.time) earliest = std::min(earliest, begun_ + *limits_.time);
  if (limits_.clock) earliest = std::min(earliest, begun_ + *limits_.clock);
  return earliest;
}

template <games::Game G>
void Searcher<G>::update(const Options& options) {
  {
    const std::scoped_lock lock(update_mutex_);
    update_ = options;
    updated_.store(true, std::memory_order_relaxed);
  }
  call_ready();
}

/// Obeys what `update` has left. The tree is scored anew where the search comes by, so that this
/// takes no time however large it is.
template <games::Game G>
void Searcher<G>::take_update() {
  Options next;
  {
    const std::scoped_lock lock(update_mutex_);
    updated_.store(false, std::memory_order_relaxed);
    next = update_;
  }
  if (!limits_.endless && (next.simulations > 0 || next.movetime_ms > 0 || limits_.clock)) {
    limits_.simulations.reset();
    limits_.time.reset();
    if (next.simulations > 0) limits_.simulations = next.simulations;
    if (next.movetime_ms > 0) limits_.time = std::chrono::milliseconds(next.movetime_ms);
  }
  next = with_live(options_, next);
  Options bounds_only = options_;
  bounds_only.simulations = next.simulations;
  bounds_only.movetime_ms = next.movetime_ms;
  bounds_only.ponder = next.ponder;
  if (next != bounds_only) ++epoch_;
  options_ = next;
}

}  // namespace pitboss::engine
