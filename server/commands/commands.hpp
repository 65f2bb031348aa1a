#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "protocol/access.hpp"
#include "protocol/arguments.hpp"
#include "server/session/seat.hpp"

namespace pitboss::server {

/// A command that takes time, run in slices.
class Job {
 public:
  virtual ~Job() = default;
  using SteadyClock = std::chrono::steady_clock;

  /// Goes on for about `slice`; `done` when `answer` can be asked. `waiting`: it need not go on
  /// before the function of `on_ready` is called or `wake_at` has come. May throw as handlers do.
  [[nodiscard]] virtual engine::Progress advance(std::chrono::microseconds slice) = 0;
  /// Sets what is called, by any thread, when a job that waits is to go on (Search::on_ready).
  // NOLINTNEXTLINE(performance-unnecessary-value-param): jobs that override it keep the function
  virtual void on_ready(std::function<void()> /*call*/) {}
  /// When a job that waits is to go on though nothing was called.
  [[nodiscard]] virtual SteadyClock::time_point wake_at() const {
    return SteadyClock::time_point::max();
  }
  /// The answer's text; may play the move found.
  [[nodiscard]] virtual std::string answer() = 0;
  /// Whether the answer comes in parts: the beginning of a success before the first slice, then the
  /// lines of each `update`, then `answer` as the last line.
  [[nodiscard]] virtual bool streams() const { return false; }
  /// After `advance`: what is due to be told, often nothing. Lines of the answer if the job
  /// streams, without the last line feed; else a text of its own, which is sent before the answer.
  [[nodiscard]] virtual std::string update() { return {}; }
  /// When `update` will next have something to tell.
  [[nodiscard]] virtual SteadyClock::time_point update_at() const {
    return SteadyClock::time_point::max();
  }
  /// Whether the job goes on until something else is asked of the session or the table.
  [[nodiscard]] virtual bool yields() const { return false; }
  /// Whether one slice is enough, and it is not a long one.
  [[nodiscard]] virtual bool is_short() const { return false; }
  /// After `done`: the job that goes on in place of this one, whose answer is not asked then.
  [[nodiscard]] virtual std::unique_ptr<Job> take_next() { return nullptr; }
  /// After `answer`: whether the job has played a move.
  [[nodiscard]] virtual bool plays() const { return false; }
  /// Asks for an early end. Any thread.
  virtual void interrupt() noexcept = 0;
  /// The search that other threads may help; null if there is none.
  [[nodiscard]] virtual std::shared_ptr<engine::Search> search() const { return nullptr; }
};

/// What a handler returns: an answer, or a job that will produce the answer.
struct Outcome {
  std::string text;
  std::unique_ptr<Job> job;
  bool plays = false;   ///< the answer completes a move of the engine (Job::plays)
  bool closes = false;  ///< the session ends after the answer

  Outcome(std::string answer = {}) : text(std::move(answer)) {}  // NOLINT(*-explicit-*): an answer
  Outcome(std::unique_ptr<Job> work) : job(std::move(work)) {}   // NOLINT(*-explicit-*): is one
};

/// What a command uses of its table, which other sessions may be using.
enum class Needs : std::uint8_t {
  nothing,  ///< of the table
  options,  ///< of the table, which are safe to use at any time
  table     ///< for itself; waits until no other command has it
};

/// Who handles the line of a command that needs the table. Lines of other commands are handled by
/// the thread that handles those of all sessions, and refused if they are long.
enum class Handled : std::uint8_t {
  by_length,  ///< that thread if the line is short, else one that searches
  elsewhere   ///< one that searches, since short lines may take long, too
};

/// One command. A handler checks everything before it changes anything and fails by throwing
/// CommandError, BadGame or BadOption.
struct Command {
  std::string_view name;
  std::string_view arguments;  ///< for people
  std::string_view help;       ///< one line
  bool blocks;                 ///< whether the session waits for a job
  Outcome (*handler)(Seat&, const protocol::Arguments&);
  protocol::Right right;  ///< what the client must have, at its table too if the command needs that
  Needs needs = Needs::table;
  Handled handled = Handled::by_length;
};

/// THE list of commands (command_groups.hpp has its parts): dispatch, `list_commands`, `help` and
/// docs/protocol.md derive from it.
[[nodiscard]] std::span<const Command> commands();
/// The command of that name, or nullptr.
[[nodiscard]] const Command* find_command(std::string_view name);
/// The same; throws CommandError if there is none.
[[nodiscard]] const Command& command_named(std::string_view name);
/// The tables of docs/protocol.md.
[[nodiscard]] std::string command_table();
[[nodiscard]] std::string failure_code_table();

}  // namespace pitboss::server
