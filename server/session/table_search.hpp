#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/remote/remote_service.hpp"
#include "engine/memory_budget.hpp"
#include "engine/search/search.hpp"
#include "environment/awake_clock.hpp"
#include "games/any_game.hpp"
#include "server/session/server_control.hpp"

namespace pitboss::server {

/// Makes a search for games of one type; engine::make_search has the contract.
using MakeSearch = std::function<std::unique_ptr<engine::Search>(
    const games::AnyGame&, const std::shared_ptr<engine::MemorySource>&)>;

/// Makes searches that know these models.
[[nodiscard]] inline MakeSearch searches_with(engine::Models models) {
  return [models = std::move(models)](const games::AnyGame& game,
                                      const std::shared_ptr<engine::MemorySource>& memory) {
    return engine::make_search(game, models, memory);
  };
}

/// For whom a search is made.
struct Caller {
  engine::Waker waker{};  ///< called when a waiting search can go on
  std::string client{};   ///< Identity::key; answers for the search's memory
  /// Called when the search has been told to end for want of memory elsewhere; may be null. Any
  /// thread calls it, and not under a lock.
  std::shared_ptr<const std::function<void()>> hurry{};
};

/// What a game's searches have asked to evaluate positions and moves.
struct ModelsUsed {
  engine::NetworkUse network;               ///< how often, without name and hash
  std::vector<std::string> networks{};      ///< SHA-256 of each network, in the order of their use
  std::vector<std::string> feature_sets{};  ///< likewise

  /// Adds what a search has used beyond `counted`.
  void add(const engine::Report& report, const engine::NetworkUse& counted);
};

/// How a table's search is run.
struct SearchPlan {
  engine::Options options;
  engine::Limits limits;
  bool bounded_by_options = false;  ///< only the options bound it, so they must remain a bound
  bool is_reported = true;          ///< `last` reports it; else the search before it
  Caller caller{};
};

/// A table's search: the running one, and the results of the last one. Any thread may call
/// `interrupt`, `is_running` and `update`, which do not block; the rest belongs to the command that
/// has the table. While no search runs, the memory budget may release the tree: `last`,
/// `last_value`, `last_effort` and `last_is_exact` keep their results, but the next search reuses
/// nothing. A search that finds no memory waits up to a second for a client with more than its
/// share to give way; in turn it ends, with what it has found, when others need its client's.
class TableSearch final : public engine::MemoryBudget::Lender {
 public:
  using SteadyClock = environment::AwakeClock;

  explicit TableSearch(MakeSearch make_search, SharedByTables shared = {});
  ~TableSearch() override;
  TableSearch(const TableSearch&) = delete;
  TableSearch& operator=(const TableSearch&) = delete;

  /// Sets up a search; keeps the tree of the last one if there is one. Throws BadOption if options
  /// and game do not fit together, and keeps the last search's results then.
  void begin(const games::AnyGame& position, int ply, const SearchPlan& plan);
  /// Members of engine::Search, for the search that has been set up.
  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice);
  [[nodiscard]] engine::Report report(int continuations = 0) const {
    return search_->report(continuations);
  }
  [[nodiscard]] games::Move best_move() const { return search_->best_move(); }
  /// The search, for threads that help it; may outlive the table.
  [[nodiscard]] std::shared_ptr<engine::Search> shared() const { return search_; }

  /// Makes the search, if there is none, so that `evaluate` can be called until `end`.
  void begin_evaluation(const games::AnyGame& position, const Caller& caller);
  /// Search::evaluate_all, of positions of the game's type. The search holds the network that the
  /// options name from then on.
  [[nodiscard]] std::vector<engine::Assessment> evaluate(
      std::span<const games::AnyGame* const> positions, const engine::Options& options,
      const std::stop_token& stop);

  /// The search is over, and the table is idle.
  void end() noexcept;
  /// The same for a search that has failed and is not reported. If it was not to be reported
  /// anyway, `last` keeps the results of the search before it.
  void abandon() noexcept;
  /// Forgets tree and results: the next search reuses nothing, and `last` returns nothing.
  void forget();
  /// As `forget`, before a search for games of another type. That search's first slice releases the
  /// tree, which takes too long for the thread that handles lines.
  void forget_type();

  /// The last search that was reported; nothing if there was none.
  [[nodiscard]] std::optional<engine::Report> last() const;
  /// The same for the position after these moves from `last_position`, each legal after those
  /// before it; nothing if that search's tree does not have it.
  [[nodiscard]] std::optional<engine::Report> last_below(std::span<const games::Move> path) const;
  /// Whether that search's tree is there: neither a search that is not reported nor somebody who
  /// needed the memory has taken it.
  [[nodiscard]] bool has_last_tree() const;
  /// The value of the best move of that search; nothing without a simulation.
  [[nodiscard]] std::optional<double> last_value() const;
  /// What that search has taken.
  [[nodiscard]] std::optional<engine::Effort> last_effort() const;
  /// Whether an exact solver has found its move, without a simulation.
  [[nodiscard]] bool last_is_exact() const;
  /// The position in which `last` began; null if there was no search.
  [[nodiscard]] const games::AnyGame* last_position() const { return position_.get(); }
  /// What this game's completed searches have used.
  [[nodiscard]] const ModelsUsed& models_used() const { return models_used_; }
  /// A new game begins: nothing is used yet.
  void count_anew() { models_used_ = {}; }
  /// Whether there is a tree.
  [[nodiscard]] bool has_tree() const;
  /// Processor time of all searches.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const { return processor_time_; }

  /// Gives up the tree unless a search runs; the last search's results stay. Any thread.
  [[nodiscard]] engine::MemoryBudget::Lent give_up() noexcept override;
  /// Ends the search that runs. Any thread.
  [[nodiscard]] Way give_way() noexcept override;

  /// Whether a search has begun and not ended.
  [[nodiscard]] bool is_running() const;
  /// Ends the search that runs, if any, soon.
  void interrupt() noexcept;
  /// Sets live options of the running search, if any. False, and changes nothing, if `allowed`
  /// refuses the resulting options. Throws BadOption if they would leave the search without a
  /// bound.
  bool update(const std::vector<engine::Assignment>& live,
              const std::function<bool(const engine::Options&)>& allowed);

 private:
  struct Running {
    engine::Options options;  ///< the initial ones with live changes
    bool bounded_by_options;
  };

  [[nodiscard]] bool uses_models() const;
  /// The results of a search whose tree has gone.
  struct Told {
    engine::Report report;
    std::optional<double> value;  ///< of its best move
    engine::Effort effort;
  };

  void release_outdated() noexcept;
  void lend() noexcept;
  void recall() noexcept;
  [[nodiscard]] engine::Progress run_or_wait(std::chrono::microseconds slice);
  void count(const engine::Effort& effort) noexcept;
  void forget_results();
  [[nodiscard]] std::optional<Told> told() const;

  MakeSearch make_search_;
  SharedByTables shared_;
  std::shared_ptr<engine::MemoryPart> part_;  ///< null: memory has no bound
  SteadyClock::time_point patience_;          ///< until then the search waits for memory
  engine::Effort counted_;                    ///< of the search that runs
  engine::NetworkUse counted_use_;            ///< likewise, when it was last done
  std::unique_ptr<games::AnyGame> position_;
  std::chrono::nanoseconds processor_time_{};
  ModelsUsed models_used_;

  /// Guards the members below; not `search_` between `begin` and `end`.
  mutable std::mutex mutex_;
  std::shared_ptr<engine::Search> search_;
  std::shared_ptr<engine::Search> outdated_;  ///< of another type, until the next search runs
  bool has_begun_ = false;                    ///< `search_` has something to report
  std::optional<Told> before_;  ///< if `search_` is not reported: the last one that is
  std::optional<Running> running_;
  std::shared_ptr<const std::function<void()>> hurry_;  ///< Caller::hurry of the running search
};

}  // namespace pitboss::server
