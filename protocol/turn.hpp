#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace pitboss::protocol {

/// Which command has a table for itself, for as long as it takes, and who is waiting for it to end.
/// Belongs to the thread that handles lines.
class Turn {
 public:
  [[nodiscard]] bool is_free() const { return what_.empty(); }
  /// The command that has the table; empty if none has.
  [[nodiscard]] std::string_view what() const { return what_; }

  /// The command `what` has the table from now on; the table must be free. A command that goes on
  /// until something else is asked of the table gives `yield`, which ends it and does not block.
  void take(std::string_view what, std::function<void()> yield = {}) {
    what_ = what;
    yield_ = std::move(yield);
  }
  /// The command has ended. Those that wait are called in the order in which they came; the first
  /// may take the table at once.
  void release() {
    what_ = {};
    yield_ = nullptr;
    for (const Waiting& waiting : std::exchange(waiting_, {})) waiting.call();
  }

  /// Whether the command that has the table goes on until something else is asked.
  [[nodiscard]] bool yields() const { return yield_ != nullptr; }
  /// Calls the `yield` of the command that has the table, if it gave one; `release` follows soon.
  void ask() const {
    if (yield_) yield_();
  }
  /// Calls once, when the table is next released, unless `who` stops waiting before.
  void wait(const void* who, std::function<void()> call) {
    waiting_.push_back({who, std::move(call)});
  }
  void stop_waiting(const void* who) {
    std::erase_if(waiting_, [who](const Waiting& waiting) { return waiting.who == who; });
  }

 private:
  struct Waiting {
    const void* who;
    std::function<void()> call;
  };

  std::string_view what_;
  std::function<void()> yield_;
  std::vector<Waiting> waiting_;
};

}  // namespace pitboss::protocol
