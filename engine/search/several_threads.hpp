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

#include "engine/search/search_state.hpp"
#include "engine/search/shared_tree.hpp"
#include "engine/search/slice.hpp"
#include "environment/awake_clock.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

/// To be called in a loop that waits for another thread: the processor then requests less often the
/// cache line that the other thread writes.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// The walk of a simulator whose estimators choose.
template <games::Game G>
class EstimatorsWalk final : public GuidedWalk {
 public:
  EstimatorsWalk(Simulator<G>& simulator, const G& root) : simulator_(simulator), position_(root) {}
  void begin(std::int64_t t) override { simulator_.begin_at_root(t); }
  [[nodiscard]] Index next_node(MoveBlock& block) override {
    return simulator_.next_node(position_, block);
  }
  void follow(MoveBlock& block) override {
    simulator_.follow(position_, block);
    position_.play(block.move()[block.next]);
  }

 private:
  Simulator<G>& simulator_;
  G position_;
};

/// The driver of a search by several threads, whose leaves are evaluated at once: they share a tree
/// (shared_tree.hpp). Each leases a subtree or several for some simulations and brings the sums
/// back; inside, it runs the same loop as a single thread, without a lock or an atomic operation.
/// Every thread has its own novelty measure, which now and then exchanges with a common one.
///
/// One thread calls `run`, others `help`; the lock guards the search's state, the shared tree and
/// the holders, except those of threads that are simulating. A search by one thread takes the lock
/// to begin, since others may call `help` at any time, and simulates without it.
template <games::Game G>
class SeveralThreads {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  explicit SeveralThreads(SearchState<G>& search) : search_(search) {}

  /// Locks by spinning: another thread has the shared tree for less than a microsecond.
  [[nodiscard]] std::unique_lock<std::mutex> lock() const;
  /// Blocks until no thread leases the root, and locks.
  [[nodiscard]] std::unique_lock<std::mutex> lock_with_root() const;
  /// For half moves: calls all leases in, blocks until no thread has one, and locks.
  [[nodiscard]] std::unique_lock<std::mutex> lock_with_tree() const;
  /// Whether a thread leases the node. The caller has the lock.
  [[nodiscard]] bool is_leased(const Node& node) const { return shared_tree_.is_leased(node); }

  // The four steps of a search; the caller has the lock.

  /// Begins a search: until `open`, `help` returns `runnable` at once, or `done` if the search has
  /// one thread, which calls no other step. No thread may be helping.
  void begin() {
    const std::size_t threads = search_.threads.size();
    stage_ = threads > 1 ? Stage::beginning : Stage::closed;
    leased_ = 0;
    common_novelty_.reset();
    while (holders_.size() > threads) holders_.pop_back();
    while (holders_.size() < threads) {
      const int thread = static_cast<int>(holders_.size()) + 1;
      holders_.push_back(std::make_unique<Holder>(search_.root, thread));
    }
  }
  /// The tree is ready, and simulations may begin.
  void open() {
    for (const auto& holder : holders_) holder->reset();
    shared_tree_.reset(*search_.tree, search_.root_node, static_cast<int>(holders_.size()),
                       search_.control.options().knowledge);
    stage_ = Stage::open;
  }
  /// Has helpers wait again for `open`.
  void wait_to_open() { stage_ = Stage::beginning; }
  /// From now on no thread begins to help.
  void close() { stage_ = Stage::closed; }
  /// Blocks until no thread helps; unlocks meanwhile.
  void await_helpers(std::unique_lock<std::mutex>& lock) {
    left_.wait(lock, [this] { return helpers_ == 0; });
  }

  /// Makes `measure`, which has seen the root, the common one, and begins all threads' measures as
  /// copies. The caller has the lock.
  void share(std::unique_ptr<NoveltyMeasure<G>> measure);

  /// As Search::run.
  Progress run(Slice& slice) { return run(0, slice); }
  /// As Search::help.
  Progress help(Slice& slice);

 private:
  enum class Stage : std::uint8_t { closed, beginning, open };

  /// A thread as the holder of leases.
  struct Holder {
    Holder(const G& any, int thread) : leases(thread), positions(any) {}
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
    return search_.threads[thread]->simulator;
  }
  Progress run(std::size_t thread, Slice& slice);
  void take_leases(std::size_t thread);
  void simulate_leases(std::size_t thread, Slice& slice);
  void simulate_lease(std::size_t thread, std::size_t number, Slice& slice);
  [[nodiscard]] bool is_over(const Holder& holder, const Lease& lease) const;
  void give_back(std::size_t thread);
  void await_return() const;
  /// Only reports on half moves call leases in.
  [[nodiscard]] bool is_called_in() const {
    return games::is_halved<G> && called_in_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::int64_t exchange_interval() const;

  SearchState<G>& search_;
  std::vector<std::unique_ptr<Holder>> holders_;  ///< one for each thread

  alignas(64) mutable std::mutex mutex_;
  alignas(64) SharedTree shared_tree_;
  std::int64_t leased_ = 0;  ///< simulations handed out, those that are over included
  int helpers_ = 0;
  Stage stage_ = Stage::closed;
  std::unique_ptr<NoveltyMeasure<G>> common_novelty_;
  std::condition_variable left_;
  std::atomic<std::uint32_t> returns_{0};       ///< how often leases were given back
  mutable std::atomic<bool> called_in_{false};  ///< until no thread holds any
};

template <games::Game G>
Progress SeveralThreads<G>::help(Slice& slice) {
  std::size_t thread = 1;  // the first is that of the thread that calls `run`
  {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {  // a thread begins, which can take long, or has the tree
      std::this_thread::yield();
      return Progress::runnable;
    }
    if (stage_ == Stage::closed || search_.control.is_stopped()) return Progress::done;
    if (stage_ == Stage::beginning) return Progress::runnable;
    while (thread < holders_.size() && holders_[thread]->taken) ++thread;
    if (thread >= holders_.size()) return Progress::done;
    holders_[thread]->taken = true;
    ++helpers_;
  }
  const Progress progress = run(thread, slice);
  const auto lock = this->lock();
  search_.processor_time += slice.used();
  holders_[thread]->taken = false;
  --helpers_;
  left_.notify_one();
  return progress;
}

/// Leases subtrees, searches them and gives them back, in turn.
template <games::Game G>
Progress SeveralThreads<G>::run(std::size_t thread, Slice& slice) {
  Holder& holder = *holders_[thread];
  for (;;) {
    const auto now = environment::AwakeClock::now();
    {
      const auto lock = this->lock();
      if (!holder.leases.empty()) give_back(thread);
      if (search_.control.has_update()) search_.control.take_update();
      const bool is_over =
          search_.simulations > 0 && (search_.is_enough() || search_.is_out_of_time(now));
      if (is_over || search_.is_proven()) return Progress::done;
      if (slice.over(now)) return Progress::runnable;
      if (!is_called_in()) take_leases(thread);
    }
    if (!holder.leases.empty()) {
      simulate_leases(thread, slice);
    } else {
      await_return();  // all that is worth searching is leased
    }
  }
}

template <games::Game G>
void SeveralThreads<G>::take_leases(std::size_t thread) {
  Holder& holder = *holders_[thread];
  Simulator<G>& simulator = this->simulator(thread);
  const bool is_new = simulator.selector().epoch() != search_.control.epoch();
  if (is_new && !search_.hand_options_to(simulator)) return;
  if (common_novelty_ && holder.unexchanged >= exchange_interval()) {
    simulator.slots().novelty->exchange(*common_novelty_);
    holder.unexchanged = 0;
  }
  const std::int64_t left = search_.simulations_left() + search_.simulations - leased_;
  if (left <= 0) return;
  std::optional<EstimatorsWalk<G>> walk;
  if (!simulator.selector().chooses()) walk.emplace(simulator, search_.root);
  const std::int64_t simulations =
      shared_tree_.lease(holder.leases, left, simulator.access(), walk ? &*walk : nullptr);
  if (simulations == 0) return;
  holder.deadline = search_.control.deadline();
  holder.is_late = false;
  simulator.count_from(search_.root_node.visits - 1 - simulations);
  leased_ += simulations;
}

/// Simulations between a thread's exchanges: so few that it misses little of what the others have
/// seen.
template <games::Game G>
std::int64_t SeveralThreads<G>::exchange_interval() const {
  return std::clamp<std::int64_t>(search_.simulations / 32, 16, 1024);
}

/// Makes the simulations of a thread's leases, without the lock.
template <games::Game G>
void SeveralThreads<G>::simulate_leases(std::size_t thread, Slice& slice) {
  Holder& holder = *holders_[thread];
  holder.positions.find(holder.leases, search_.root);
  for (std::size_t i = 0; i < holder.leases.size(); ++i) {
    // One simulation at least, so that the search progresses however short the slices.
    if (i == 0 || !is_over(holder, holder.leases[i])) simulate_lease(thread, i, slice);
  }
}

/// Whether the holder of a lease is to give it back.
template <games::Game G>
bool SeveralThreads<G>::is_over(const Holder& holder, const Lease& lease) const {
  return holder.is_late || lease.wanted.load(std::memory_order_relaxed) || is_called_in() ||
         search_.control.is_stopped() || lease.proof != Proof::none;
}

template <games::Game G>
void SeveralThreads<G>::simulate_lease(std::size_t thread, std::size_t number, Slice& slice) {
  Holder& holder = *holders_[thread];
  Lease& lease = holder.leases[number];
  Simulator<G>& simulator = this->simulator(thread);
  simulator.begin_below(holder.leases.path_to(lease));
  const Origin<G> origin{holder.positions[number], *lease.node, lease.proof,
                         search_.root.to_move()};
  for (int i = 0; i < lease.simulations; ++i) {
    if (i > 0 && is_over(holder, lease)) break;
    const auto [values, novelty, depth] = simulator.simulate(origin);
    for (int c = 0; c < G::players; ++c) lease.samples[c].add(values[c], novelty);
    holder.depth = std::max(holder.depth, depth);
    if (holder.is_late || !slice.pace().is_due()) continue;
    const auto now = environment::AwakeClock::now();
    holder.is_late = now >= holder.deadline || slice.over(now);
    slice.pace().looked(now);
  }
}

template <games::Game G>
void SeveralThreads<G>::give_back(std::size_t thread) {
  Holder& holder = *holders_[thread];
  ThreadState<G>& state = *search_.threads[thread];
  const int above = static_cast<int>(holder.leases.depth());
  search_.max_depth = std::max(search_.max_depth, above + std::exchange(holder.depth, 0));
  state.note_memory();
  returns_.fetch_add(1, std::memory_order_relaxed);
  if (state.simulator.selector().epoch() != search_.control.epoch()) {
    search_.hand_options_to(state.simulator);
  }
  for (const Lease& lease : holder.leases) {
    const std::int64_t made = lease.samples[0].count;
    search_.simulations += made;
    leased_ -= lease.simulations - made;
    holder.unexchanged += made;
  }
  shared_tree_.give_back(holder.leases, state.simulator.access());
}

/// Waits a while for leases to be given back, without touching cache lines that a holder needs.
template <games::Game G>
void SeveralThreads<G>::await_return() const {
  constexpr int patience = 30;
  const std::uint32_t before = returns_.load(std::memory_order_relaxed);
  for (int i = 0; i < patience && returns_.load(std::memory_order_relaxed) == before; ++i) {
    spin_pause();
  }
  std::this_thread::yield();
}

template <games::Game G>
std::unique_lock<std::mutex> SeveralThreads<G>::lock() const {
  constexpr int patience = 100;
  std::unique_lock lock(mutex_, std::try_to_lock);
  for (int tries = 0; !lock.owns_lock(); ++tries) {
    if (tries > patience) std::this_thread::yield();
    spin_pause();  // the thread that has the lock needs the cache lines beside it
    static_cast<void>(lock.try_lock());
  }
  return lock;
}

template <games::Game G>
std::unique_lock<std::mutex> SeveralThreads<G>::lock_with_root() const {
  auto lock = this->lock();
  while (shared_tree_.is_leased(search_.root_node)) {
    lock.unlock();
    await_return();
    lock = this->lock();
  }
  return lock;
}

template <games::Game G>
std::unique_lock<std::mutex> SeveralThreads<G>::lock_with_tree() const {
  auto lock = this->lock();
  called_in_ = true;
  while (shared_tree_.has_leases()) {
    lock.unlock();
    await_return();
    lock = this->lock();
  }
  called_in_ = false;
  return lock;
}

template <games::Game G>
void SeveralThreads<G>::share(std::unique_ptr<NoveltyMeasure<G>> measure) {
  common_novelty_ = std::move(measure);
  for (const auto& thread : search_.threads) {
    thread->simulator.slots().novelty->reset(search_.root);
    thread->simulator.slots().novelty->exchange(*common_novelty_);
  }
}

}  // namespace pitboss::engine
