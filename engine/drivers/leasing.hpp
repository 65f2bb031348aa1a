#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/drivers/estimators_walk.hpp"
#include "engine/drivers/leases.hpp"
#include "engine/drivers/search_state.hpp"
#include "engine/drivers/slice.hpp"
#include "engine/drivers/spin_pause.hpp"
#include "engine/drivers/trunk.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

/// The driver of a search by several threads: they share the tree through its trunk. Each leases a
/// subtree or several for some simulations and brings the sums back; inside, it runs the same loop
/// as a single thread, without a lock or an atomic operation. Every thread has its own novelty
/// measure, which now and then exchanges with a common one.
///
/// One thread calls `run`, others `help`; the lock guards the search's state, the trunk and the
/// desks, except those of threads that are simulating.
template <games::Game G>
class Leasing {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Leasing(SearchState<G>& search) : search_(search) {}

  /// Locks by spinning: another thread is at the trunk for less than a microsecond.
  [[nodiscard]] std::unique_lock<std::mutex> lock() const;
  /// Blocks until no thread leases the root, and locks.
  [[nodiscard]] std::unique_lock<std::mutex> lock_with_root() const;
  /// For half moves: calls all leases in, blocks until no thread has one, and locks.
  [[nodiscard]] std::unique_lock<std::mutex> lock_with_tree() const;
  /// Whether a thread leases the node. The caller holds the lock.
  [[nodiscard]] bool is_leased(const Node& node) const { return trunk_.is_leased(node); }

  // The four steps of a search; the caller holds the lock.

  /// Begins a search: until `open`, `help` returns `runnable` at once. No thread may be helping.
  void begin() {
    stage_ = Stage::beginning;
    leased_ = 0;
    common_novelty_.reset();
    while (desks_.size() > search_.lanes.size()) desks_.pop_back();
    while (desks_.size() < search_.lanes.size()) {
      const int thread = static_cast<int>(desks_.size()) + 1;
      desks_.push_back(std::make_unique<Desk>(search_.root, thread));
    }
  }
  /// The tree is ready, and simulations may begin.
  void open() {
    for (const auto& desk : desks_) desk->reset();
    trunk_.reset(*search_.tree, search_.root_node, static_cast<int>(desks_.size()));
    stage_ = Stage::open;
  }
  /// From now on no thread begins to help.
  void close() { stage_ = Stage::closed; }
  /// Blocks until no thread helps; unlocks meanwhile.
  void await_helpers(std::unique_lock<std::mutex>& lock) {
    left_.wait(lock, [this] { return helpers_ == 0; });
  }

  /// Makes `measure`, which has seen the root, the common one, and begins all threads' measures as
  /// copies. The caller holds the lock.
  void share(std::unique_ptr<NoveltyMeasure<G>> measure);

  /// As Search::run.
  Progress run(Slice& slice) { return run(0, slice); }
  /// As Search::help.
  Progress help(Slice& slice);

 private:
  enum class Stage : std::uint8_t { closed, beginning, open };

  /// What a thread has beside its simulator.
  struct Desk {
    Desk(const G& any, int thread) : leases(thread), positions(any) {}
    void reset() {
      leases.reset();
      depth = 0;
      unexchanged = 0;
    }
    Leases leases;
    LeasedPositions<G> positions;
    TimePoint deadline;            ///< of the search, when the leases began
    bool is_late = false;          ///< the deadline or the slice is over
    int depth = 0;                 ///< largest depth of simulations below a leased node
    bool taken = false;            ///< by a thread in `help`
    std::int64_t unexchanged = 0;  ///< simulations that the common novelty measure has not seen
  };

  [[nodiscard]] Simulator<G>& simulator(std::size_t thread) {
    return search_.lanes[thread]->simulator;
  }
  Progress run(std::size_t thread, Slice& slice);
  void take_leases(std::size_t thread);
  void simulate_leases(std::size_t thread, Slice& slice);
  void simulate_lease(std::size_t thread, std::size_t number, Slice& slice);
  [[nodiscard]] bool is_over(const Desk& desk, const Lease& lease) const;
  void give_back(std::size_t thread);
  void await_return() const;
  /// Only reports on half moves call leases in.
  [[nodiscard]] bool is_called_in() const {
    return games::is_halved<G> && called_in_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t exchange_interval() const;

  SearchState<G>& search_;
  std::vector<std::unique_ptr<Desk>> desks_;  ///< one for each thread

  alignas(64) mutable std::mutex mutex_;
  alignas(64) Trunk trunk_;
  std::int64_t leased_ = 0;  ///< simulations handed out, those that are over included
  int helpers_ = 0;
  Stage stage_ = Stage::closed;
  std::unique_ptr<NoveltyMeasure<G>> common_novelty_;
  std::condition_variable left_;
  std::atomic<std::uint32_t> returns_{0};       ///< how often leases were given back
  mutable std::atomic<bool> called_in_{false};  ///< until no thread holds any
};

template <games::Game G>
Progress Leasing<G>::help(Slice& slice) {
  std::size_t thread = 1;  // the first is that of the thread that calls `run`
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {  // a thread begins, which can take long, or is at the trunk
      std::this_thread::yield();
      return Progress::runnable;
    }
    if (stage_ == Stage::closed || search_.control.is_stopped()) return Progress::done;
    if (stage_ == Stage::beginning) return Progress::runnable;
    while (thread < desks_.size() && desks_[thread]->taken) ++thread;
    if (thread >= desks_.size()) return Progress::done;
    desks_[thread]->taken = true;
    ++helpers_;
  }
  const Progress progress = run(thread, slice);
  const auto lock = this->lock();
  desks_[thread]->taken = false;
  --helpers_;
  left_.notify_one();
  return progress;
}

/// Leases subtrees from the trunk, searches them and gives them back, in turn.
template <games::Game G>
Progress Leasing<G>::run(std::size_t thread, Slice& slice) {
  Desk& desk = *desks_[thread];
  for (;;) {
    const auto now = std::chrono::steady_clock::now();
    {
      const auto lock = this->lock();
      if (!desk.leases.empty()) give_back(thread);
      if (search_.control.has_update()) search_.control.take_update();
      const bool is_over =
          search_.simulations > 0 && (search_.is_enough() || search_.is_out_of_time(now));
      if (is_over || search_.is_proven()) return Progress::done;
      if (slice.over(now)) return Progress::runnable;
      if (!is_called_in()) take_leases(thread);
    }
    if (!desk.leases.empty()) {
      simulate_leases(thread, slice);
    } else {
      await_return();  // all that is worth searching is leased
    }
  }
}

template <games::Game G>
void Leasing<G>::take_leases(std::size_t thread) {
  Desk& desk = *desks_[thread];
  Simulator<G>& simulator = this->simulator(thread);
  const bool is_new = simulator.selector().epoch() != search_.control.epoch();
  if (is_new && !search_.hand_options_to(simulator)) return;
  if (common_novelty_ && desk.unexchanged >= exchange_interval()) {
    simulator.slots().novelty->exchange(*common_novelty_);
    desk.unexchanged = 0;
  }
  const std::int64_t left = search_.simulations_left() + search_.simulations - leased_;
  if (left <= 0) return;
  std::optional<EstimatorsWalk<G>> walk;
  if (!simulator.selector().chooses()) walk.emplace(simulator, search_.root);
  const std::int64_t simulations =
      trunk_.lease(desk.leases, left, simulator.access(), walk ? &*walk : nullptr);
  if (simulations == 0) return;
  desk.deadline = search_.control.deadline();
  desk.is_late = false;
  simulator.count_from(search_.root_node.visits - 1 - simulations);
  leased_ += simulations;
}

/// Simulations between a thread's exchanges: so few that it misses little of what the others have
/// seen.
template <games::Game G>
std::int64_t Leasing<G>::exchange_interval() const {
  return std::clamp<std::int64_t>(search_.simulations / 32, 16, 1024);
}

/// Makes the simulations of a thread's leases, without the lock.
template <games::Game G>
void Leasing<G>::simulate_leases(std::size_t thread, Slice& slice) {
  Desk& desk = *desks_[thread];
  desk.positions.find(desk.leases, search_.root);
  for (std::size_t i = 0; i < desk.leases.size(); ++i) {
    // One simulation at least, so that the search progresses however short the slices.
    if (i == 0 || !is_over(desk, desk.leases[i])) simulate_lease(thread, i, slice);
  }
}

/// Whether the holder of a lease is to give it back.
template <games::Game G>
bool Leasing<G>::is_over(const Desk& desk, const Lease& lease) const {
  return desk.is_late || lease.wanted.load(std::memory_order_relaxed) || is_called_in() ||
         search_.control.is_stopped() || lease.proof != Proof::none;
}

template <games::Game G>
void Leasing<G>::simulate_lease(std::size_t thread, std::size_t number, Slice& slice) {
  Desk& desk = *desks_[thread];
  Lease& lease = desk.leases[number];
  Simulator<G>& simulator = this->simulator(thread);
  simulator.begin_below(desk.leases.path_to(lease));
  const Origin<G> origin{desk.positions[number], *lease.node, lease.proof, search_.root.to_move()};
  for (int i = 0; i < lease.simulations; ++i) {
    if (i > 0 && is_over(desk, lease)) break;
    const auto [values, novelty, depth] = simulator.simulate(origin);
    for (int c = 0; c < G::players; ++c) lease.samples[c].add(values[c], novelty);
    desk.depth = std::max(desk.depth, depth);
    if (desk.is_late || !slice.pace().is_due()) continue;
    const auto now = std::chrono::steady_clock::now();
    desk.is_late = now >= desk.deadline || slice.over(now);
    slice.pace().looked(now);
  }
}

template <games::Game G>
void Leasing<G>::give_back(std::size_t thread) {
  Desk& desk = *desks_[thread];
  Lane<G>& lane = *search_.lanes[thread];
  const int above = static_cast<int>(desk.leases.depth());
  search_.max_depth = std::max(search_.max_depth, above + std::exchange(desk.depth, 0));
  lane.note_memory();
  returns_.fetch_add(1, std::memory_order_relaxed);
  if (lane.simulator.selector().epoch() != search_.control.epoch()) {
    search_.hand_options_to(lane.simulator);
  }
  for (const Lease& lease : desk.leases) {
    const std::int64_t made = lease.samples[0].count;
    search_.simulations += made;
    leased_ -= lease.simulations - made;
    desk.unexchanged += made;
  }
  trunk_.give_back(desk.leases, lane.simulator.access());
}

/// Waits a while for leases to be given back, without touching cache lines that a holder needs.
template <games::Game G>
void Leasing<G>::await_return() const {
  constexpr int patience = 30;
  const std::uint32_t before = returns_.load(std::memory_order_relaxed);
  for (int i = 0; i < patience && returns_.load(std::memory_order_relaxed) == before; ++i) {
    spin_pause();
  }
  std::this_thread::yield();
}

template <games::Game G>
std::unique_lock<std::mutex> Leasing<G>::lock() const {
  constexpr int patience = 100;
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock(); ++tries) {
    if (tries > patience) std::this_thread::yield();
    spin_pause();  // the thread at the trunk needs the cache lines beside the lock
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

template <games::Game G>
std::unique_lock<std::mutex> Leasing<G>::lock_with_root() const {
  auto lock = this->lock();
  while (trunk_.is_leased(search_.root_node)) {
    lock.unlock();
    await_return();
    lock = this->lock();
  }
  return lock;
}

template <games::Game G>
std::unique_lock<std::mutex> Leasing<G>::lock_with_tree() const {
  auto lock = this->lock();
  called_in_ = true;
  while (trunk_.has_leases()) {
    lock.unlock();
    await_return();
    lock = this->lock();
  }
  called_in_ = false;
  return lock;
}

template <games::Game G>
void Leasing<G>::share(std::unique_ptr<NoveltyMeasure<G>> measure) {
  common_novelty_ = std::move(measure);
  for (const auto& lane : search_.lanes) {
    lane->simulator.slots().novelty->reset(search_.root);
    lane->simulator.slots().novelty->exchange(*common_novelty_);
  }
}

}  // namespace pitboss::engine
