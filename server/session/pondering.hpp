#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "server/session/table.hpp"

namespace pitboss::server {

/// Thinking on the opponent's time: a search by one thread that has the table until the table is
/// asked something, the options forbid pondering, the tree is full or ten minutes are over. The
/// next search reuses its tree; `last_search` does not report it.
class Pondering {
 public:
  /// Null if there is nothing to ponder: the options say no, the game is over, or a command has the
  /// table. `caller.waker` is called when `run` has answered `waiting` and is to be called again.
  [[nodiscard]] static std::shared_ptr<Pondering> begin(const std::shared_ptr<Table>& table,
                                                        Caller caller);
  /// After a change of the table's options: ends its pondering, if any, unless they still ask for
  /// it.
  static void obey_options(Table& table);
  /// Whether a table is taken by pondering.
  [[nodiscard]] static bool has(const Turn& turn);

  /// For `begin`, which also sets up the search.
  explicit Pondering(std::shared_ptr<Table> table) : table_(std::move(table)) {}
  ~Pondering();
  Pondering(const Pondering&) = delete;
  Pondering& operator=(const Pondering&) = delete;

  /// Sets the function that the thread that handles lines calls when pondering is to end; it should
  /// have `run` called soon.
  void on_hurry(std::function<void()> call) { hurry_ = std::move(call); }
  /// Runs for about `slice`. Any thread, one at a time.
  [[nodiscard]] engine::Progress run(std::chrono::microseconds slice) noexcept;
  /// Releases the table. The thread that handles lines calls it when `run` has answered `done`, or
  /// will not be called any more.
  void end();

 private:
  std::shared_ptr<Table> table_;
  std::function<void()> hurry_;
  bool ended_ = false;
};

}  // namespace pitboss::server
