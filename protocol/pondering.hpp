#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "protocol/table.hpp"

namespace pitboss::protocol {

/// Thinking on the opponent's time. Has the table until something is asked of it.
class Pondering {
 public:
  /// Null if there is nothing to ponder: the options say no, the game is over, or another command
  /// has the table.
  [[nodiscard]] static std::shared_ptr<Pondering> begin(const std::shared_ptr<Table>& table);

  explicit Pondering(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  ~Pondering() {
    if (!ended_) table_->end_search();
  }
  Pondering(const Pondering&) = delete;
  Pondering& operator=(const Pondering&) = delete;
  /// What to call when it has been told to end, to have `work` called soon.
  void on_hurry(std::function<void()> call) { hurry_ = std::move(call); }
  /// Sets what is called, by any thread, when `work` has answered `waiting` and is to be called
  /// again (engine::Search::on_ready); until `end`.
  void on_ready(std::function<void()> call) { table_->on_ready(std::move(call)); }
  /// Goes on for about `slice`. Any thread, one at a time.
  [[nodiscard]] engine::Progress work(std::chrono::microseconds slice) noexcept;
  /// After `waiting`: when `work` is to be called again though nothing was called.
  [[nodiscard]] std::chrono::steady_clock::time_point wake_at() const { return table_->wake_at(); }
  /// Releases the table. To be called when `work` has nothing more to do, or is not going to be
  /// called any more, by the thread that handles lines.
  void end();

 private:
  std::shared_ptr<Table> table_;
  std::function<void()> hurry_;
  bool ended_ = false;
};

}  // namespace pitboss::protocol
