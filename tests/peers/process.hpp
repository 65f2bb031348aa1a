#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "tests/timing.hpp"

namespace pitboss::peers {

/// A program that runs beside the test, its standard streams in the test's hand; killed when
/// destroyed. What would block for longer than a limit throws std::runtime_error.
class Process {
 public:
  using Milliseconds = std::chrono::milliseconds;

  /// The program's path, and its arguments.
  explicit Process(std::vector<std::string> command);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Writes to its standard input.
  void write(std::string_view text);
  void end_input();

  /// The next line of its standard output, without the line feed.
  std::string output_line(Milliseconds limit = tests::longest_wait);
  /// The same, of standard error.
  std::string error_line(Milliseconds limit = tests::longest_wait);
  /// Reads its standard output no more.
  void close_output();

  void signal(int number) const;
  [[nodiscard]] pid_t id() const { return process_; }
  /// Reads what it writes until it ends: its exit code, or 128 and the signal that ended it.
  int wait(Milliseconds limit = tests::longest_wait);

  /// What it wrote to standard output; after `wait`.
  [[nodiscard]] const std::string& output() const { return streams_[1].text; }
  [[nodiscard]] const std::string& errors() const { return streams_[2].text; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Stream {
    int descriptor = -1;
    std::string text = {};  ///< read and not yet returned
  };

  std::string line_of(Stream& stream, Milliseconds limit);
  void read_some(Clock::time_point end);
  static void close(Stream& stream);

  pid_t process_ = -1;
  std::array<Stream, 3> streams_;  ///< by their numbers in the program
};

/// A program that has ended: its exit code, or 128 and the signal, and what it wrote.
struct ProgramEnd {
  int code;
  std::string out;
  std::string err;
};
/// Runs a program to its end.
[[nodiscard]] ProgramEnd ended(const std::vector<std::string>& command);

/// The processes that a process has started, and what these have, and so on.
[[nodiscard]] std::vector<pid_t> descendants(pid_t process);
/// The words of a process's command line; none if it has ended, or ends meanwhile.
[[nodiscard]] std::vector<std::string> command_line(pid_t process);

}  // namespace pitboss::peers
