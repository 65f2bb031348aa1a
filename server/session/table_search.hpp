#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/remote/remote_service.hpp"
#include "engine/memory_budget.hpp"
#include "engine/search.hpp"
#include "games/any_game.hpp"
#include "server/session/server_control.hpp"

namespace pitboss::server {

/// Makes the searches for games of one type; engine::make_search has the contract.
using MakeSearch = std::function<std::unique_ptr<engine::Search>(const games::AnyGame&)>;

/// Makes searches that know these models and are part of this budget; null: of none.
[[nodiscard]] inline MakeSearch searches_with(
    engine::Models models, std::shared_ptr<engine::MemoryBudget> budget = nullptr) {
  return [models = std::move(models), budget = std::move(budget)](const games::AnyGame& game) {
    return engine::make_search(game, models, budget);
  };
}

/// How a table's search is run.
struct SearchPlan {
  engine::Options options;
  engine::Limits limits;
  bool bounded_by_options = false;  ///< and by nothing else, so they must go on to bound it
  bool is_reported = true;          ///< `last` tells of it; else of the one before it
  engine::Waker waker{};            ///< called when a search that waits is to go on
};

/// The search of a table: the one that runs, and what the last one has found. Any thread may call
/// `interrupt`, `is_running` and `update`, which do not block; the rest belongs to the command that
/// has the table. While no search runs, the budget may have the tree released: then `last` and
/// `last_value` go on to tell of it, and the next search reuses nothing.
class TableSearch final : public engine::MemoryBudget::Lender {
 public:
  explicit TableSearch(MakeSearch make_search, SharedByTables shared = {})
      : make_search_(std::move(make_search)), shared_(std::move(shared)) {}
  ~TableSearch() override;
  TableSearch(const TableSearch&) = delete;
  TableSearch& operator=(const TableSearch&) = delete;

  /// Sets up a search; the tree of the last one is kept if it is still there. Throws BadOption if
  /// options and game do not fit together; then the last search is still there to report.
  void begin(const games::AnyGame& position, int ply, const SearchPlan& plan);
  /// Engine::Search's members for the search that has been set up.
  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice);
  [[nodiscard]] engine::Report report(int continuations = 0) const {
    return search_->report(continuations);
  }
  [[nodiscard]] games::Move best_move() const { return search_->best_move(); }
  /// For threads that help it; it may outlive the table.
  [[nodiscard]] std::shared_ptr<engine::Search> shared() const { return search_; }

  /// The search is over, and the table is idle.
  void end() noexcept;
  /// The same for a search that has failed, and of which nothing is told; `last` goes on to tell of
  /// the one before it if this one was not to be reported.
  void abandon() noexcept;
  /// The next search reuses nothing of the last one, and `last` has nothing to tell.
  void forget();
  /// As `forget`; the next search is for games of another type. The tree is released when it runs:
  /// that takes too long for the thread that handles lines.
  void forget_type();

  /// The last search that was reported; nothing if there was none.
  [[nodiscard]] std::optional<engine::Report> last() const;
  /// What the best move of that search is worth; nothing without a simulation.
  [[nodiscard]] std::optional<double> last_value() const;
  /// The position which `last` began with; null if there was none.
  [[nodiscard]] const games::AnyGame* last_position() const { return position_.get(); }
  /// How many values of this game's searches the network's evaluators have computed; 0 without one.
  [[nodiscard]] const engine::NetworkUse& evaluations() const { return evaluations_; }
  /// A new game begins: its evaluations are counted from 0.
  void count_anew() { evaluations_ = {}; }
  /// Whether there is a tree.
  [[nodiscard]] bool has_tree() const;
  /// Processor time of all searches; of a search with several threads that of the first.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const { return processor_time_; }

  /// The tree, unless a search runs; `last` and `last_value` go on to tell of it. Any thread.
  [[nodiscard]] engine::MemoryBudget::Lent give_up() noexcept override;

  /// Whether a search has begun and not ended.
  [[nodiscard]] bool is_running() const;
  /// Ends the search that runs, if any, soon.
  void interrupt() noexcept;
  /// Sets live options of the search that runs, if any; false, and nothing has changed, if
  /// `allowed` refuses what that makes of its options. Throws BadOption if the search would be left
  /// without a bound.
  bool update(const std::vector<engine::Assignment>& live,
              const std::function<bool(const engine::Options&)>& allowed);

 private:
  struct Running {
    engine::Options options;  ///< those it began with, and live changes
    bool bounded_by_options;
  };

  [[nodiscard]] bool has_network() const;
  void count_evaluations();
  /// What is told of a search that is not there any more.
  struct Told {
    engine::Report report;
    std::optional<double> value;  ///< of its best move
  };

  void release_outdated() noexcept;
  void lend() noexcept;
  void recall() noexcept;
  void count(std::int64_t simulations) noexcept;
  void forget_results();
  [[nodiscard]] std::optional<Told> told() const;

  MakeSearch make_search_;
  SharedByTables shared_;
  std::int64_t counted_ = 0;  ///< simulations of the search that runs
  std::unique_ptr<games::AnyGame> position_;
  std::chrono::nanoseconds processor_time_{};
  engine::NetworkUse evaluations_;

  /// Guards what follows, but for `search_` between `begin` and `end`.
  mutable std::mutex mutex_;
  std::shared_ptr<engine::Search> search_;
  std::shared_ptr<engine::Search> outdated_;  ///< of another type, until the next search runs
  bool has_begun_ = false;                    ///< `search_` has something to report
  std::optional<Told> before_;                ///< while `search_` is not reported: the last that is
  std::optional<Running> running_;
};

}  // namespace pitboss::server
