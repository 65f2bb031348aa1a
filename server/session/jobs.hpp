#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/exact/exact_solver.hpp"
#include "engine/memory_budget.hpp"
#include "protocol/dialect.hpp"
#include "server/session/analysis.hpp"
#include "server/session/findings.hpp"
#include "server/session/job.hpp"
#include "server/session/picture_times.hpp"

namespace pitboss::server {

/// Runs a slice of a table's search. Throws CommandError if memory does not suffice, and BadOption
/// if the network cannot be used; the search has been abandoned then.
[[nodiscard]] engine::Progress search_on(Table& table, std::chrono::microseconds slice);

/// `genmove` and `reg_genmove`: a search, whose move is then played if `plays`; in GoGui's dialect
/// only the move's next point.
class SearchJob : public Job {
 public:
  /// Sets up the search; throws BadOption if the options allow none. If it `draws`, it shows the
  /// search as live graphics at the times of PictureTimes and when the search is over.
  SearchJob(Table& table, Caller caller, bool plays, protocol::Dialect dialect, bool draws = false,
            std::set<std::string> avoided = {});
  ~SearchJob() override { table_.search().end(); }
  SearchJob(const SearchJob&) = delete;
  SearchJob& operator=(const SearchJob&) = delete;

  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override;
  [[nodiscard]] std::string update() override;
  [[nodiscard]] SteadyClock::time_point update_at() const override {
    return draws_ ? pictures_.next() : SteadyClock::time_point::max();
  }
  [[nodiscard]] bool plays() const override {
    return plays_ && table_.history().steps().chosen().empty();
  }
  void interrupt() noexcept override { table_.search().interrupt(); }
  [[nodiscard]] std::shared_ptr<engine::Search> search() const override {
    return table_.search().shared();
  }

 private:
  Table& table_;
  bool plays_;
  protocol::Dialect dialect_;
  bool draws_;
  SteadyClock::time_point begun_ = SteadyClock::now();
  PictureTimes pictures_{begun_};
  bool is_over_ = false;
};

/// `evaluate` and `evaluate_many`: what the evaluator says of positions.
class EvaluationJob final : public Job {
 public:
  using Positions = std::vector<std::unique_ptr<games::AnyGame>>;

  /// Of the table's position.
  EvaluationJob(Table& table, const Caller& caller);
  /// Of these, one or more, of the table's game; fails if interrupted between two of them.
  EvaluationJob(Table& table, const Caller& caller, Positions positions);
  ~EvaluationJob() override { table_.search().end(); }
  EvaluationJob(const EvaluationJob&) = delete;
  EvaluationJob& operator=(const EvaluationJob&) = delete;

  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override;
  void interrupt() noexcept override { stop_.request_stop(); }

 private:
  void evaluate_some();

  Table& table_;
  Positions positions_;
  bool has_list_;  ///< the answer is one
  engine::Options options_;
  std::vector<engine::Assessment> assessments_;  ///< of the first positions
  std::stop_source stop_;
};

/// `genmove_analyze` and its variants: reports on the search, and then plays its move. What has
/// been found is left to `findings`.
class TellingSearchJob final : public SearchJob {
 public:
  TellingSearchJob(Table& table, Caller caller, AnalysisRequest request,
                   ClientFindings findings = {});
  [[nodiscard]] std::string answer() override;
  [[nodiscard]] std::string update() override { return analysis_.line_if_due(); }
  [[nodiscard]] SteadyClock::time_point update_at() const override { return analysis_.due(); }
  [[nodiscard]] bool streams() const override { return true; }

 private:
  Analysis analysis_;
  ClientFindings findings_;
};

/// `analyze` and its variants: reports on an endless search. One that ends by itself, as with a
/// proof, is reported once more. What has been found is left to `findings`.
class AnalysisJob final : public Job {
 public:
  AnalysisJob(Table& table, Caller caller, AnalysisRequest request, ClientFindings findings = {});
  ~AnalysisJob() override { table_.search().end(); }
  AnalysisJob(const AnalysisJob&) = delete;
  AnalysisJob& operator=(const AnalysisJob&) = delete;

  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override;
  [[nodiscard]] std::string update() override {
    return is_over_ ? std::string() : analysis_.line_if_due();
  }
  [[nodiscard]] SteadyClock::time_point update_at() const override { return analysis_.due(); }
  [[nodiscard]] bool streams() const override { return true; }
  [[nodiscard]] bool yields() const override { return true; }
  void interrupt() noexcept override {
    is_interrupted_ = true;
    table_.search().interrupt();
  }
  [[nodiscard]] std::shared_ptr<engine::Search> search() const override {
    return table_.search().shared();
  }

 private:
  Table& table_;
  Analysis analysis_;
  ClientFindings findings_;
  bool is_over_ = false;
  std::atomic<bool> is_interrupted_{false};
};

/// `simulate`: a search by one thread goes on for some simulations, and tells the paths of the last
/// `most_paths`. What has been found is left to `findings`.
class SimulationsJob final : public Job {
 public:
  static constexpr std::size_t most_paths = 100;

  SimulationsJob(Table& table, Caller caller, std::int64_t count, ClientFindings findings = {});
  ~SimulationsJob() override { table_.search().end(); }
  SimulationsJob(const SimulationsJob&) = delete;
  SimulationsJob& operator=(const SimulationsJob&) = delete;

  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override {
    return search_on(table_, slice);
  }
  [[nodiscard]] std::string answer() override;
  void interrupt() noexcept override { table_.search().interrupt(); }

 private:
  Table& table_;
  ClientFindings findings_;
};

/// `truth`: the exact results of the legal moves, a best one's first, as far as they are found
/// within a time. As a search, it waits up to a second for memory that is coming, and ends when
/// others need its client's.
class TruthJob final : public Job, public engine::MemoryBudget::Lender {
 public:
  /// What is found is remembered in `table_bytes`, for which `client` answers (Identity::key).
  TruthJob(const games::AnyGame& position, SharedByTables shared, std::string client,
           std::size_t table_bytes, std::chrono::duration<double> time);
  ~TruthJob() override;
  TruthJob(const TruthJob&) = delete;
  TruthJob& operator=(const TruthJob&) = delete;

  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override;
  void interrupt() noexcept override { stop_.request_stop(); }
  /// Never: it is busy as long as it has memory.
  [[nodiscard]] engine::MemoryBudget::Lent give_up() noexcept override { return {}; }
  [[nodiscard]] Way give_way() noexcept override;

 private:
  [[nodiscard]] bool make_solver();

  std::unique_ptr<games::AnyGame> position_;
  SharedByTables shared_;
  std::shared_ptr<engine::MemoryPart> part_;  ///< null: memory has no bound
  std::size_t table_bytes_;
  SteadyClock::time_point begun_ = SteadyClock::now();
  SteadyClock::time_point end_;
  engine::Reservation reservation_;
  std::unique_ptr<engine::ExactSolver> solver_;  ///< null before the first slice
  std::optional<engine::ExactMove> best_;        ///< once it is known
  std::stop_source stop_;
};

/// `perft`. Fails if interrupted, since part of a count is useless.
class PerftJob final : public Job {
 public:
  PerftJob(const games::AnyGame& game, int depth) : perft_(game.perft(depth)) {}
  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override { return std::to_string(perft_->count()); }
  void interrupt() noexcept override { interrupted_.store(true, std::memory_order_relaxed); }

 private:
  std::unique_ptr<games::Perft> perft_;
  std::atomic<bool> interrupted_{false};
};

}  // namespace pitboss::server
