#pragma once

#include <sys/types.h>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "clients/players/line_stream.hpp"

namespace pitboss::clients {

/// An engine's program, started by this process. Its standard input and output are one end of a
/// socket; the last 2 KiB of its standard error are kept.
///
/// A guard process (program_guard.hpp) is the program's parent. When the program is closed, and
/// also when this process is killed, the guard sends SIGTERM to the program's process group,
/// SIGKILL after `grace`, and ends when the group has ended: no process is left behind, and this
/// one does not wait. Ctrl-C in our terminal does not reach the program. Needs no running
/// io_context.
class ChildProgram {
 public:
  using Milliseconds = std::chrono::milliseconds;
  static constexpr Milliseconds default_grace = std::chrono::seconds(2);

  /// Starts the program (looked for in PATH) with its arguments. Throws EngineFailure
  /// (unreachable): "cannot start gnugo: no such file or directory".
  explicit ChildProgram(const std::vector<std::string>& command,
                        Milliseconds grace = default_grace);
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  /// Our end of the program's standard streams. May be called once.
  [[nodiscard]] LineStream::Socket take_streams(const boost::asio::any_io_executor& executor);
  /// Has the guard end the program; blocks for 0.2 s at most.
  void close();
  /// Waits until the program has ended by itself, for at most `limit`.
  boost::asio::awaitable<void> wait_for_end(Milliseconds limit);

  /// Whether the program has ended by itself, or its guard has been killed, and the program with
  /// it. Asks the guard.
  [[nodiscard]] bool has_ended();
  /// How the program ended by itself, if it has: a line "[exit code 3]" or "[signal 11
  /// (Segmentation fault)]"; before that the last 2 KiB of its standard error, unchanged. After
  /// `close`, the words from before `close`.
  [[nodiscard]] std::string last_words();
  /// With which the program has ended by itself; nothing before `last_words`, `has_ended` or
  /// `wait_for_end` has seen that, or after a signal.
  [[nodiscard]] std::optional<int> exit_code() const { return exit_code_; }
  /// Whether somebody has stopped the program (SIGSTOP) since the last call, or before it was
  /// closed. Asks the guard, which takes about 50 us.
  [[nodiscard]] bool was_stopped();
  [[nodiscard]] pid_t id() const { return program_; }

 private:
  void ask_guard();

  pid_t guard_ = -1;
  pid_t program_ = -1;
  int streams_ = -1;
  int control_ = -1;  ///< to the guard
  std::string errors_;
  std::string ending_;
  std::optional<int> exit_code_;
  int stops_ = 0;       ///< GuardReport::stops
  int stops_told_ = 0;  ///< by `was_stopped`
};

}  // namespace pitboss::clients
