#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/drivers/alone.hpp"
#include "engine/drivers/in_flight.hpp"
#include "engine/drivers/leasing.hpp"
#include "engine/drivers/search_state.hpp"
#include "engine/leaf/evaluator_source.hpp"
#include "engine/search.hpp"
#include "engine/search/tree_report.hpp"

namespace pitboss::engine {

/// The tree search for games of type G: sets a search up, has one of three drivers make the
/// simulations (alone.hpp, leasing.hpp, in_flight.hpp), and reports. The positions that it is given
/// and the moves that it tells are those of Whole<G>.
template <games::Game G>
class Searcher final : public Search {
 public:
  /// `source` makes the evaluators that the options do not name; null: there are none. `budget`:
  /// of trees and tables; null: none.
  explicit Searcher(const G& root, std::shared_ptr<const EvaluatorSource<G>> source = nullptr,
                    std::shared_ptr<MemoryBudget> budget = nullptr)
      : state_(root, std::move(budget)), source_(std::move(source)) {}

  void begin(const games::AnyGame& position, int ply, const Options& options,
             const Limits& limits, Waker waker = {}) override;
  Progress run(std::chrono::microseconds slice) override;
  Progress help(std::chrono::microseconds slice) override;
  [[nodiscard]] int threads() const override { return static_cast<int>(state_.lanes.size()); }
  void stop() noexcept override { state_.control.stop(); }
  void update(const Options& options) override { state_.control.update(options); }
  [[nodiscard]] Assessment evaluate(const games::AnyGame& position, const Options& options,
                                    const std::stop_token& stop) const override;
  void forget() override;
  [[nodiscard]] std::string best_move() const override;
  [[nodiscard]] std::optional<double> best_value() const override;
  [[nodiscard]] Report report(int continuations = 0) const override;
  [[nodiscard]] std::int64_t simulations() const override;

 private:
  void check(const Options& options) const;
  [[nodiscard]] std::optional<Node> kept() const;
  void prepare_lanes(const G& position, int ply, const Options& options,
                     const BatchEvaluator<G>* later);
  void start();
  void plant_tree();
  void see_root(const Evaluation<G>& evaluation);
  void open_root(const Evaluation<G>& evaluation);
  void add_root_noise();
  void close_avoided();
  [[nodiscard]] const Options& options() const { return state_.control.options(); }
  [[nodiscard]] Simulator<G>& first() { return state_.lanes[0]->simulator; }
  [[nodiscard]] TreeReport tree_report() const;
  [[nodiscard]] int chosen() const;
  [[nodiscard]] std::optional<MoveReport> best(bool with_pv) const;
  void tell_moves(Report& report, int continuations) const;
  [[nodiscard]] std::vector<TableReport> tables() const;
  [[nodiscard]] std::optional<NetworkUse> network_use() const;

  SearchState<G> state_;
  Leasing<G> leasing_{state_};  ///< the driver of several threads; every search uses its lock
  std::shared_ptr<const EvaluatorSource<G>> source_;
  std::unique_ptr<InFlight<G>> in_flight_;  ///< null if leaves are evaluated at once
  std::string parameters_;                  ///< of the root's game
  int ply_ = 0;
  std::uint64_t seed_ = 0;
  /// The last search's tree, in which this one's root may be.
  struct Before {
    G root;
    int plies;  ///< played since
  };
  std::optional<Before> before_;                    ///< until the search starts, if it reuses trees
  std::vector<std::unique_ptr<Lane<G>>> outdated_;  ///< more threads than there are now had these
  std::optional<FeatureUse> features_;
  std::vector<int> avoided_;  ///< moves of the root's block
  bool started_ = false;      ///< there is a tree of this search
  std::chrono::steady_clock::duration spent_{};
};

}  // namespace pitboss::engine
