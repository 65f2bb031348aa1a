#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/arguments.hpp"
#include "protocol/seat.hpp"

namespace pitboss::protocol {

/// A command that takes time, run in slices.
class Job {
 public:
  virtual ~Job() = default;
  using SteadyClock = std::chrono::steady_clock;

  /// Goes on for about `slice`; `done` when `answer` can be asked. `waiting`: it need not go on
  /// before the function of `on_ready` is called or `wake_at` has come. May throw as handlers do.
  [[nodiscard]] virtual engine::Progress advance(std::chrono::microseconds slice) = 0;
  /// Sets what is called, by any thread, when a job that waits is to go on (Search::on_ready).
  virtual void on_ready(std::function<void()> /*call*/) {}
  /// When a job that waits is to go on though nothing was called.
  [[nodiscard]] virtual SteadyClock::time_point wake_at() const {
    return SteadyClock::time_point::max();
  }
  /// The answer's text; may play the move found.
  [[nodiscard]] virtual std::string answer() = 0;
  /// Whether its answer comes in parts: begun as a success before the job, then `update` for
  /// `update`, with `answer` as the last line.
  [[nodiscard]] virtual bool streams() const { return false; }
  /// After `advance`: what there is to tell by now, often nothing. Lines of the answer if it
  /// streams, without the last line feed, else a text of its own that comes before the answer.
  [[nodiscard]] virtual std::string update() { return {}; }
  /// When `update` will next have something to tell.
  [[nodiscard]] virtual SteadyClock::time_point update_at() const {
    return SteadyClock::time_point::max();
  }
  /// Whether it goes on until something else is asked of the session or the table.
  [[nodiscard]] virtual bool yields() const { return false; }
  /// Whether it has played a move, after `answer`.
  [[nodiscard]] virtual bool plays() const { return false; }
  /// Asks for an early end. Any thread.
  virtual void interrupt() noexcept = 0;
  /// The search that other threads may help; null if there is none.
  [[nodiscard]] virtual std::shared_ptr<engine::Search> search() const { return nullptr; }
};

/// What a handler leaves: an answer, or a job that will have it.
struct Outcome {
  std::string text;
  std::unique_ptr<Job> job;
  bool plays = false;  ///< an answer that completes a move of the engine, as Job::plays
  bool closes = false;

  Outcome(std::string answer = {}) : text(std::move(answer)) {}  // NOLINT(*-explicit-*): an answer
  Outcome(std::unique_ptr<Job> work) : job(std::move(work)) {}   // NOLINT(*-explicit-*): is one
};

/// What a command uses; others may be using the same table.
enum class Needs : std::uint8_t {
  nothing,  ///< of the table
  options,  ///< of the table, which are safe to use at any time
  table     ///< for itself; waits until no other command has it
};

/// One command. A handler checks everything before it changes anything and fails by throwing
/// CommandError, BadGame or BadOption.
struct Command {
  std::string_view name;
  std::string_view arguments;  ///< for people
  std::string_view help;       ///< one line
  bool blocks;                 ///< whether the session waits for a job
  Outcome (*handler)(Seat&, const Arguments&);
  Needs needs = Needs::table;
};

/// THE list of commands (command_groups.hpp has its parts): dispatch, `list_commands`, `help` and
/// docs/protocol.md derive from it.
[[nodiscard]] std::span<const Command> commands();
/// The command of that name, or nullptr.
[[nodiscard]] const Command* find_command(std::string_view name);
/// The table of docs/protocol.md.
[[nodiscard]] std::string command_table();

}  // namespace pitboss::protocol
