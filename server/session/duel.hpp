#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "server/session/job.hpp"
#include "server/session/seat.hpp"

namespace pitboss::server {

/// What the arguments of `duel` ask for.
struct DuelRequest {
  std::vector<int> engines;       ///< 0 is the table's, 1 the opponent; one for each colour in turn
  std::int64_t plies;             ///< moves to play at most
  std::chrono::nanoseconds time;  ///< no move but the first is begun after that
};

/// `duel`: two engines play on from the table's position, move by move, each with its own options,
/// tree and seed; clocks do not count and nobody ponders. The first line of the answer has the
/// seconds that each engine took and those of its longest move, the second the moves; then come,
/// move by move, a line of values for the engine that made it, of simulations, of depths, of
/// processor seconds, of seconds, and of whether an exact solver has found the move. A duel that is
/// interrupted or cannot go on (for lack of memory, or because options have changed) ends with the
/// moves made so far, without the one being searched, and fails if there are none.
class DuelJob final : public Job {
 public:
  /// Both tables have the same position, and no search runs at either. Throws BadOption if the
  /// options of one allow no search.
  DuelJob(Table& table, Table& opponent, Caller caller, protocol::Dialect dialect,
          DuelRequest request);
  ~DuelJob() override;
  DuelJob(const DuelJob&) = delete;
  DuelJob& operator=(const DuelJob&) = delete;

  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) override;
  [[nodiscard]] std::shared_ptr<engine::Search> search() const override {
    return is_searching_ ? tables_[static_cast<std::size_t>(mover())]->search().shared() : nullptr;
  }
  [[nodiscard]] std::string answer() override;
  void interrupt() noexcept override;

 private:
  [[nodiscard]] int mover() const {
    return request_.engines[games::index(tables_[0]->game().to_move())];
  }
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] engine::Progress advance_move(std::chrono::microseconds slice);
  void begin_move();
  void end_move();

  std::array<Table*, 2> tables_;
  Caller caller_;
  protocol::Dialect dialect_;
  DuelRequest request_;
  SteadyClock::time_point begun_ = SteadyClock::now();
  bool is_searching_ = false;
  SteadyClock::time_point move_begun_;
  std::array<SteadyClock::duration, 2> used_{};
  std::array<SteadyClock::duration, 2> longest_{};
  std::vector<std::string> moves_;
  // Of each move, as the answer tells it.
  std::vector<std::string> values_;
  std::vector<std::string> simulations_;
  std::vector<std::string> depths_;
  std::vector<std::string> processor_times_;
  std::vector<std::string> times_;   ///< of the searches
  std::vector<std::string> proofs_;  ///< "exact" if an exact solver has found it, else "-"
  bool is_stuck_ = false;
  std::atomic<bool> interrupted_ = false;
};

/// The opponent at this seat: an engine with the session's initial options but for these, in the
/// current position of the table's game, which is not over. It keeps its tree from an earlier duel
/// in the same game unless moves have been taken back. Throws BadOption and leaves the table
/// unchanged then.
[[nodiscard]] Table& opponent_at(Seat& seat, const std::vector<engine::Assignment>& options);

}  // namespace pitboss::server
