#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace pitboss::server {

/// The command that has a table for itself, and the sessions that wait for it to end. Belongs to
/// the thread that handles lines.
class Turn {
 public:
  [[nodiscard]] bool is_free() const { return what_.empty(); }
  /// The command that has the table; empty if none has.
  [[nodiscard]] std::string_view what() const { return what_; }

  /// Gives the table, which must be free, to the command `what`; or continues that command after
  /// its line has been handled. A command that goes on until the table is asked something else
  /// gives `yield`, which ends it and does not block.
  void take(std::string_view what, std::function<void()> yield = {}) {
    what_ = what;
    yield_ = std::move(yield);
    if (std::exchange(is_handled_, false)) call_waiting();  // some may need only the options
  }
  /// The same for a command whose line a worker handles; meanwhile not even the table's options may
  /// be used.
  void take_to_handle(std::string_view what) {
    take(what);
    is_handled_ = true;
  }
  /// Whether a worker still handles the command's line.
  [[nodiscard]] bool is_handled() const { return is_handled_; }
  /// Ends the command, and makes the calls of those that wait in the order in which they came; the
  /// first may take the table at once.
  void release() {
    what_ = {};
    yield_ = nullptr;
    is_handled_ = false;
    call_waiting();
  }

  /// Whether the command that has the table goes on until something else is asked.
  [[nodiscard]] bool yields() const { return yield_ != nullptr; }
  /// Calls the `yield` of the command that has the table, if it gave one; `release` follows soon.
  void ask() const {
    if (yield_) yield_();
  }
  /// Makes `call` once, when the table is next released, unless `who` stops waiting before.
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

  void call_waiting() {
    for (const Waiting& waiting : std::exchange(waiting_, {})) waiting.call();
  }

  std::string_view what_;
  std::function<void()> yield_;
  bool is_handled_ = false;  ///< a worker handles its line
  std::vector<Waiting> waiting_;
};

}  // namespace pitboss::server
