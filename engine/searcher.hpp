#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <vector>

#include "engine/exploration.hpp"
#include "engine/search.hpp"
#include "engine/slots.hpp"
#include "engine/tree.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// The tree search for games of type G: Monte Carlo tree search with one evaluation a simulation
/// (UCT; Kocsis, Szepesvari 2006), novelty mixed into selection (Novelty in MCTS, eqs. 9 and 10).
///
/// One simulation: select moves from the root by the bound until a position is new, evaluate it,
/// ask its novelty, back both up along the path. Positions are not merged: the tree is a tree.
/// Not supported: proven values, more than one thread.
template <games::Game G>
class Searcher final : public Search {
 public:
  explicit Searcher(const G& root) : root_(root) {}

  void begin(const games::AnyGame& position, int ply, const Options& options,
             const Limits& limits) override;
  Progress run(std::chrono::microseconds slice) override;
  void stop() noexcept override { stopped_.store(true, std::memory_order_relaxed); }
  void update(const Options& options) override;
  [[nodiscard]] std::string best_move() const override;
  [[nodiscard]] Report report() const override;

 private:
  using Clock = std::chrono::steady_clock;

  /// One selected move: the node's moves, which of them, and who made it.
  struct Step {
    Index block;
    int move;
    games::Colour mover;
  };
  // One simulation, in order.
  void simulate();
  [[nodiscard]] G descend();
  [[nodiscard]] int select(MoveBlock& block);
  [[nodiscard]] Index expand(const G& position);
  void back_up(const Values<G>& values, double novelty);

  void start();
  void observe_root();
  void refresh(MoveBlock& block, int move) const;
  void rescore(MoveBlock& block) const;
  [[nodiscard]] float untried_base() const;
  void take_update();
  [[nodiscard]] bool finished() const;
  [[nodiscard]] std::uint32_t samples(const Node& node) const;
  [[nodiscard]] int chosen() const;
  [[nodiscard]] int favourite(MoveBlock& block, FinalMove by, games::Random& ties) const;

  G root_;
  std::string game_;
  Options options_;
  Limits limits_;
  SampleTerms terms_;
  std::uint32_t epoch_ = 0;  ///< counts the changes of alpha and beta
  Slots<G> slots_;
  Tree tree_;
  Index root_block_ = 0;
  std::vector<Step> path_;
  games::Random random_{0};
  std::uint64_t seed_ = 0;
  std::int64_t simulations_ = 0;
  int max_depth_ = 0;
  bool started_ = false;
  Clock::time_point begun_;
  Clock::duration spent_{};
  alignas(64) std::array<float, MoveBlock::padded_count(G::max_moves)> score_;

  // Written by other threads.
  std::atomic<bool> stopped_{false};
  std::atomic<bool> updated_{false};
  std::mutex update_mutex_;
  Options update_;
};

}  // namespace pitboss::engine
