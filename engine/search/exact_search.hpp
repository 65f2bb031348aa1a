#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/exact/exact_solver.hpp"
#include "engine/memory_budget.hpp"
#include "engine/search/control.hpp"
#include "engine/search/search.hpp"

namespace pitboss::engine {

/// What a score of an exact solver proves.
[[nodiscard]] constexpr Proven proven_of(int score) {
  return score > 0 ? Proven::win : score < 0 ? Proven::loss : Proven::draw;
}

/// The option `exact`: has the exact solver of the game look for a best move of the root before
/// another search makes its simulations, and makes none if it finds one.
///
/// If simulations bound the search, the solver comes first, with a number of positions that follows
/// from theirs, so that a seed gives the same search, and with half of a time that bounds it, too.
/// Any other search goes on beside its solver, each in half of the slices. In a lost position whose
/// solver does not rank the losses the simulations still choose the move, and in a drawn one among
/// the moves that are known to draw, if these are several. A search without a solver: one that
/// avoids moves, goes on, has a root rule, or ends with a full tree (pondering); one that processor
/// time bounds; one in whose bounds a proof is not to be expected; one for whose table there is no
/// memory.
class ExactSearch final : public Search {
 public:
  /// Takes the solver's table from `memory`; null: from nowhere.
  ExactSearch(std::unique_ptr<Search> search, std::shared_ptr<MemorySource> memory)
      : search_(std::move(search)), memory_(std::move(memory)) {}

  void begin(const games::AnyGame& position, int ply, const Options& options, const Limits& limits,
             Waker waker = {}) override;
  Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] bool has_steps() const override {
    return !is_solving_ && !is_decided() && search_->has_steps();
  }
  Progress step(LeafBatch& batch, Progress::TimePoint now) override {
    return search_->step(batch, now);
  }
  void run_next_with(Company& company) override { search_->run_next_with(company); }
  Progress help(std::chrono::microseconds slice) override;
  [[nodiscard]] int threads() const override { return search_->threads(); }
  void stop() noexcept override;
  void update(const Options& options) override;
  [[nodiscard]] std::vector<Assessment> evaluate_all(
      std::span<const games::AnyGame* const> positions, const Options& options,
      const std::stop_token& stop) const override {
    return search_->evaluate_all(positions, options, stop);
  }
  void forget() override;
  [[nodiscard]] games::Move best_move() const override;
  [[nodiscard]] std::optional<double> best_value() const override;
  [[nodiscard]] Report report(int continuations = 0) const override;
  [[nodiscard]] std::optional<Report> report_below(
      std::span<const games::Move> path) const override {
    return search_->report_below(path);
  }
  [[nodiscard]] Effort effort() const override;

 private:
  struct Proof {
    ExactMove best;
    bool counts_points;
    /// Whether it leaves no choice. Where losses have no ranks, all moves of a lost position are
    /// best ones: simulations find what resists, and among several draws what the opponent may not
    /// hold.
    bool decides;
    std::vector<ExactMove> moves;  ///< all legal ones
  };

  /// The move to play, where the proof decides or the position is a draw.
  [[nodiscard]] const ExactMove& chosen() const;
  [[nodiscard]] bool is_decided() const { return proof_ && proof_->decides; }
  /// Whether the solver comes before the simulations.
  [[nodiscard]] bool is_first() const { return control_.limits().simulations.has_value(); }
  [[nodiscard]] double most_positions() const;
  [[nodiscard]] SearchControl::TimePoint deadline() const;
  [[nodiscard]] bool is_promising() const;
  void make_solver();
  void solve(std::chrono::microseconds slice);
  void search_for_proof(SearchControl::TimePoint until);
  void end_solving();
  Progress simulate(std::chrono::microseconds slice);
  Progress end_simulations(std::chrono::microseconds slice);

  std::unique_ptr<Search> search_;
  std::shared_ptr<MemorySource> memory_;
  SearchControl control_;                     ///< for the solver; `search_` has its own
  std::unique_ptr<games::AnyGame> position_;  ///< while the solver is at work
  bool is_solving_ = false;
  std::atomic<bool> helpers_wait_{false};  ///< the simulations have not begun
  Reservation table_;
  std::unique_ptr<ExactSolver> solver_;  ///< null before the first slice
  std::uint64_t positions_ = 0;          ///< that the solver has looked at
  std::optional<Proof> proof_;
  bool has_simulated_ = false;                 ///< `search_` has run
  std::chrono::nanoseconds processor_time_{};  ///< of the solver
  std::chrono::nanoseconds solving_time_{};    ///< likewise
  std::chrono::nanoseconds time_{};            ///< from the begin to the end of its last slice
};

}  // namespace pitboss::engine
