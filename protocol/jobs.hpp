#pragma once

#include <atomic>

#include "protocol/commands.hpp"

namespace pitboss::protocol {

/// `genmove` and `reg_genmove`: a search, and then perhaps its move on the board; in GoGui's
/// dialect the move's first point.
class SearchJob final : public Job {
 public:
  /// Sets up the search; throws BadOption if the options allow none.
  SearchJob(Table& table, bool plays, Dialect dialect);
  [[nodiscard]] bool advance(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override;
  void interrupt() noexcept override { table_.interrupt(); }
  [[nodiscard]] std::shared_ptr<engine::Search> search() const override {
    return table_.current_search();
  }

 private:
  Table& table_;
  bool plays_;
  Dialect dialect_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

/// `perft`. Interrupted, it fails: part of a count is of no use.
class PerftJob final : public Job {
 public:
  PerftJob(const games::AnyGame& game, int depth) : perft_(game.perft(depth)) {}
  [[nodiscard]] bool advance(std::chrono::microseconds slice) override;
  [[nodiscard]] std::string answer() override { return std::to_string(perft_->count()); }
  void interrupt() noexcept override { interrupted_.store(true, std::memory_order_relaxed); }

 private:
  std::unique_ptr<games::Perft> perft_;
  std::atomic<bool> interrupted_{false};
};

}  // namespace pitboss::protocol
