#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/drivers/trunk.hpp"
#include "engine/search/search.hpp"
#include "engine/simulation/simulator.hpp"

namespace pitboss::engine {

/// The tree search for games of type G. One thread simulates from the root on; several share the
/// tree through its trunk (trunk.hpp).
template <games::Game G>
class Searcher final : public Search {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Searcher(const G& root) : root_(root) {}

  void begin(const games::AnyGame& position, int ply, const Options& options,
             const Limits& limits) override;
  Progress run(std::chrono::microseconds slice) override;
  Progress help(std::chrono::microseconds slice) override;
  [[nodiscard]] int threads() const override { return static_cast<int>(lanes_.size()); }
  void stop() noexcept override {
    stopped_.store(true, std::memory_order_relaxed);
    call_ready();
  }
  void on_ready(std::function<void()> call) override {
    const std::scoped_lock lock(ready_mutex_);
    ready_ = std::move(call);
  }
  [[nodiscard]] Clock::time_point wake_at() const override { return deadline(); }
  void update(const Options& options) override;
  void forget() override;
  [[nodiscard]] std::string best_move() const override;
  [[nodiscard]] Report report(int continuations = 0) const override;

 private:
  /// What one thread needs to simulate.
  struct Lane {
    Lane(const G& position, int thread) : leases(position, thread) {}
    Simulator<G> simulator;
    Leases<G> leases;
    Clock::time_point deadline;    ///< of the search, when the leases began
    bool is_late = false;          ///< beyond it, or the slice is over
    int depth = 0;                 ///< of simulations behind a leased node, at most
    bool taken = false;            ///< by a thread that helps
    std::int64_t unexchanged = 0;  ///< simulations that the common novelty measure has not seen

    /// For reports; the simulator is the thread's own while the lane is taken.
    struct Memory {
      std::int64_t nodes = 0;
      std::size_t spare = 0;
      std::vector<typename Estimators<G>::Usage> tables;
    } memory;
    void note_memory() {
      memory.nodes = simulator.writer().nodes();
      memory.spare = simulator.writer().spare();
      memory.tables.clear();
      if (simulator.slots().estimators) simulator.slots().estimators->tell_usage(memory.tables);
    }
  };
  class Slice;

  [[nodiscard]] const Node* kept(const G& position, int ply, const Options& options) const;
  void start();
  void observe_root();
  void close_avoided();
  Progress run_alone(Slice& slice);
  Progress run_shared(Lane& lane, Slice& slice);
  bool obey(Simulator<G>& simulator);
  void take_leases(Lane& lane);
  void simulate_leases(Lane& lane, Slice& slice);
  [[nodiscard]] bool is_over(const Lane& lane, const Lease<G>& lease) const;
  void simulate_lease(Lane& lane, Lease<G>& lease, Slice& slice);
  void give_back(Lane& lane);
  void await_return() const;
  [[nodiscard]] std::int64_t exchange_interval() const;
  void call_ready() {
    const std::scoped_lock lock(ready_mutex_);
    if (ready_) ready_();
  }
  void take_update();
  [[nodiscard]] bool enough() const;
  [[nodiscard]] bool out_of_time(Clock::time_point now) const;
  [[nodiscard]] Clock::time_point deadline() const;
  /// Whether the search has nothing left to find.
  [[nodiscard]] bool is_proven() const {
    return options_.solver && root_node_.proof != Proof::none;
  }
  [[nodiscard]] bool alone() const { return lanes_.size() == 1; }
  [[nodiscard]] std::unique_lock<std::mutex> locked() const;
  [[nodiscard]] std::unique_lock<std::mutex> locked_with_root() const;
  [[nodiscard]] int chosen() const;
  [[nodiscard]] int favourite(MoveBlock& block, games::Colour mover, games::Random& ties,
                              std::span<const int> avoided = {}) const;
  void tell_tables(Report& report) const;
  void tell_continuation(MoveReport& move, Index node, G position, games::Random& ties) const;

  G root_;
  int ply_ = 0;
  Options options_;
  Limits limits_;
  std::uint32_t epoch_ = 0;  ///< counts the changes of what selection and novelty read
  std::uint64_t seed_ = 0;
  std::unique_ptr<Tree> tree_ = std::make_unique<Tree>();
  std::optional<Node> kept_;  ///< what is to be reused of the tree, if anything: its root
  std::vector<int> avoided_;  ///< moves of the root's block
  std::int64_t reused_ = 0;
  bool started_ = false;
  Clock::time_point begun_;
  Clock::duration spent_{};
  std::vector<std::unique_ptr<Lane>> lanes_;  ///< one for each thread

  // While several threads search, the mutex guards all but the insides of taken lanes. What every
  // lease writes lies apart from what every simulation reads, and from what waits for the mutex.
  alignas(64) mutable std::mutex mutex_;
  alignas(64) Node root_node_{};
  std::int64_t simulations_ = 0;
  std::int64_t leased_ = 0;  ///< simulations handed out, those that are over included
  int max_depth_ = 0;
  int helpers_ = 0;
  bool running_ = false;
  Trunk<G> trunk_;
  std::unique_ptr<NoveltyMeasure<G>> common_novelty_;
  std::condition_variable left_;
  std::atomic<std::uint32_t> returns_{0};  ///< of leases

  // Written by threads that do not search.
  alignas(64) std::atomic<bool> stopped_{false};
  std::atomic<bool> updated_{false};
  std::mutex update_mutex_;
  Options update_;
  std::mutex ready_mutex_;
  std::function<void()> ready_;
};

}  // namespace pitboss::engine
