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

  /// `what` has the table from now on; it must be free. A command that goes on until something
  /// else is asked of the table says how it is ended: `yield`, which does not block.
  void take(std::string_view what, std::function<void()> yield = {}) {
    what_ = what;
    yield_ = std::move(yield);
  }
  /// The command has ended. Those that wait are called in the order in which they came; the first
  /// may take the table at once.
  void release() {
    what_ = {};
    yield_ = nullptr;
    for (const auto& call : std::exchange(waiting_, {})) call();
  }

  /// Ends what goes on until something else is asked; `release` follows soon.
  void ask() const {
    if (yield_) yield_();
  }
  /// Calls once, when the table is next released.
  void wait(std::function<void()> call) { waiting_.push_back(std::move(call)); }

 private:
  std::string_view what_;
  std::function<void()> yield_;
  std::vector<std::function<void()>> waiting_;
};

}  // namespace pitboss::protocol
