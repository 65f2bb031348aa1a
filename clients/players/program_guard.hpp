#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace pitboss::clients {

/// The guard's answer to any message on its control socket; tells how the program ended, if it has.
struct GuardReport {
  enum class End : int { none, exit, signal };
  End end;
  int number;       ///< the exit code, or the signal
  int stops;        ///< signs so far that the program was stopped, or went on after that
  int errors_size;  ///< bytes kept of the program's standard error
  std::array<char, 2048> errors;
};

/// The file descriptors for a program and its guard, all with close-on-exec.
struct GuardedStreams {
  int program;      ///< becomes the program's standard input and output
  int errors;       ///< becomes its standard error
  int errors_read;  ///< the other end of the same pipe, for the guard; does not block
  int control;      ///< the guard's end of a SOCK_SEQPACKET pair
};

struct GuardedProgram {
  pid_t guard = -1;    ///< a child of ours, to be waited for; -1 if there is none
  pid_t program = -1;  ///< a child of the guard's
  int error = 0;       ///< errno if the program could not be started
};

/// Starts a program, found as environment::program_file does, and its guard, a process between this
/// one and the program. When the other end of its control socket is closed, the guard ends the
/// program and all that the program has started, and then itself. Blocks until the program is
/// loaded.
///
/// A process of its own, because it outlives this one. Boost.Process starts children, but neither
/// outlives its caller, nor takes in orphans, nor ends a group by SIGTERM first: only the few calls
/// before `exec` would be its.
[[nodiscard]] GuardedProgram start_guarded(const std::vector<std::string>& command,
                                           const GuardedStreams& streams,
                                           std::chrono::milliseconds grace);

}  // namespace pitboss::clients
