#include "clients/players/program_guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>

#include "environment/programs.hpp"

namespace pitboss::clients {

namespace {

using Milliseconds = std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

/// The report of a new process: its id, or the error that prevented it.
struct Start {
  pid_t program;
  int error;
};

// All code up to `start_guarded` runs in a child forked from a process with threads: it may make
// system calls, but neither allocate memory nor take locks.

void tell(int pipe, Start start) {
  if (::write(pipe, &start, sizeof start) < 0) ::_exit(1);  // the reader has died
}

/// Ends this process, and the start of the program with it, after a system call has failed.
[[noreturn]] void give_up(int pipe) {
  tell(pipe, {0, errno});
  ::_exit(127);
}

void reset_signals() {
  struct sigaction standard {};
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
}

[[noreturn]] void run_program(const char* file, char* const* words, const GuardedStreams& streams,
                              int started) {
  ::setpgid(0, 0);
  // Copies first: if our own standard streams are closed, these descriptors may have the numbers 0
  // to 2.
  const int talk = ::fcntl(streams.program, F_DUPFD_CLOEXEC, 3);
  const int errors = ::fcntl(streams.errors, F_DUPFD_CLOEXEC, 3);
  if (talk < 0 || errors < 0 || ::dup2(talk, STDIN_FILENO) < 0 || ::dup2(talk, STDOUT_FILENO) < 0 ||
      ::dup2(errors, STDERR_FILENO) < 0) {
    give_up(started);
  }
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // takes effect if somebody kills the guard
  sigset_t none;
  ::sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::execvp(file, words);
  give_up(started);
}

class Guard {
 public:
  Guard(pid_t program, const GuardedStreams& streams)
      : program_(program), control_(streams.control), errors_(streams.errors_read) {}

  /// Closes all descriptors that the guard does not use: inherited ones would keep files locked and
  /// connections open. False if that cannot be done.
  [[nodiscard]] bool close_all_others() const {
    const auto [low, high] =
        std::minmax({static_cast<unsigned>(control_), static_cast<unsigned>(errors_)});
    const auto close_all = [](unsigned first, unsigned end) {
      return first == end || ::close_range(first, end - 1, 0) == 0;
    };
    return close_all(0, low) && close_all(low + 1, high) && close_all(high + 1, ~0U);
  }

  void wait() {
    for (int pause = -1;;) {
      // A program that floods standard error is read slowly: 64 KiB every 10 ms.
      std::array<pollfd, 2> events{pollfd{control_, POLLIN, 0},
                                   pollfd{pause < 0 ? errors_ : -1, POLLIN, 0}};
      if (::poll(events.data(), events.size(), pause) < 0) continue;
      pause = -1;
      if (events[1].revents != 0 && read_errors() == flood) pause = 10;
      if (events[0].revents == 0) continue;
      char request = 0;
      if (::recv(control_, &request, 1, MSG_DONTWAIT) <= 0) return;
      report();
    }
  }

  /// Ends the program and all processes that it has started; orphans among them become children of
  /// the guard. SIGCHLD must be blocked.
  void end_all(Milliseconds grace) const {
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    for (const int signal : {SIGTERM, SIGKILL}) {
      ::kill(-program_, signal);
      ::kill(-program_, SIGCONT);
      for (const auto end = SteadyClock::now() + grace; has_children();) {
        const auto left = std::chrono::nanoseconds(end - SteadyClock::now()).count();
        if (left <= 0) break;
        const timespec pause{left / 1'000'000'000, left % 1'000'000'000};
        ::sigtimedwait(&child, nullptr, &pause);
      }
    }
  }

 private:
  static constexpr int flood = 65536;

  /// Reads the available bytes and returns their number.
  int read_errors() {
    int total = 0;
    std::array<char, 4096> chunk;
    while (errors_ >= 0 && total < flood) {
      const auto size = ::read(errors_, chunk.data(), chunk.size());
      if (size < 0) break;
      if (size == 0) errors_ = -1;  // leaving the pipe open does no harm
      total += static_cast<int>(size);
      keep(chunk.data(), static_cast<int>(size));
    }
    return total;
  }

  void keep(const char* text, int size) {
    constexpr int capacity = std::tuple_size_v<decltype(report_.errors)>;
    char* const kept = report_.errors.data();
    const int added = std::min(size, capacity);
    const int old = std::min(report_.errors_size, capacity - added);
    std::memmove(kept, kept + report_.errors_size - old, static_cast<std::size_t>(old));
    std::memcpy(kept + old, text + size - added, static_cast<std::size_t>(added));
    report_.errors_size = old + added;
  }

  void report() {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(program_), &info, WSTOPPED | WCONTINUED | WNOHANG) ==
               0 &&
           info.si_pid != 0) {
      ++report_.stops;
      info = {};
    }
    // WNOWAIT: an unreaped process keeps its number and its group's number taken.
    if (::waitid(P_PID, static_cast<id_t>(program_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid != 0) {
      report_.end = info.si_code == CLD_EXITED ? GuardReport::End::exit : GuardReport::End::signal;
      report_.number = info.si_status;
    }
    read_errors();
    ::send(control_, &report_, sizeof report_, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  [[nodiscard]] static bool has_children() {
    pid_t reaped = 0;
    do reaped = ::waitpid(-1, nullptr, WNOHANG);
    while (reaped > 0);
    return reaped == 0;
  }

  pid_t program_;
  int control_;
  int errors_;
  GuardReport report_{};
};

[[noreturn]] void run_guard(const char* file, char* const* words, const GuardedStreams& streams,
                            Milliseconds grace, int started) {
  ::setsid();  // out of the terminal's reach
  ::prctl(PR_SET_NAME, "pitboss-guard");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  reset_signals();  // all are blocked, but SIGCHLD must not be ignored

  const pid_t program = ::fork();
  if (program == 0) run_program(file, words, streams, started);
  if (program < 0) give_up(started);
  ::setpgid(program, program);  // the program does the same; the first of the two calls counts
  tell(started, {program, 0});
  Guard guard(program, streams);
  if (!guard.close_all_others()) {
    tell(started, {0, errno});
    ::kill(-program, SIGKILL);
    ::_exit(1);
  }
  guard.wait();
  guard.end_all(grace);
  ::_exit(0);
}

}  // namespace

GuardedProgram start_guarded(const std::vector<std::string>& command, const GuardedStreams& streams,
                             Milliseconds grace) {
  std::vector<std::string> copies = command;
  std::vector<char*> words;
  for (std::string& word : copies) words.push_back(word.data());
  words.push_back(nullptr);
  std::string file = environment::program_file(command.front()).string();
  if (file.empty()) file = command.front();  // the system tells what is wrong with it
  std::array<int, 2> started{};
  if (::pipe2(started.data(), O_CLOEXEC) != 0) return {-1, -1, errno};

  // Blocks our signal handlers in the guard: they would write to pipes that we read.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t guard = ::fork();
  if (guard == 0) run_guard(file.c_str(), words.data(), streams, grace, started[1]);
  const int fork_error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ::close(started[1]);

  GuardedProgram out{guard, -1, guard < 0 ? fork_error : 0};
  // The guard writes one line, and the program one if it could not be loaded, in any order. The
  // pipe ends when the program is loaded and the guard has closed all other descriptors.
  for (Start line{}; guard > 0;) {
    const auto size = ::read(started[0], &line, sizeof line);
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof line) break;
    out.program = std::max(out.program, line.program);
    if (line.error != 0) out.error = line.error;
  }
  ::close(started[0]);
  if (out.error == 0 && out.program <= 0) out.error = ECHILD;
  return out;
}

}  // namespace pitboss::clients
