#pragma once

#include <fcntl.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

// Chooses, when a program runs, which of the faults that were compiled into it (switched.py) is
// there: the one whose number is the environment's PITBOSS_FAULT.

// Leaves an empty file with this name in the folder PITBOSS_REACHED, if there is one. Any thread
// may call it, and a process that is about to become another program.
inline void note_reached(int fault) {
  static const char* const folder = std::getenv("PITBOSS_REACHED");
  static std::array<std::atomic<bool>, 10'000> are_noted{};
  if (folder == nullptr || are_noted[fault].exchange(true, std::memory_order_relaxed)) return;
  const int error = errno;
  std::array<char, 4096> path{};
  std::snprintf(path.data(), path.size(), "%s/%d", folder, fault);
  const int file = ::open(path.data(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  if (file >= 0) ::close(file);
  errno = error;
}

inline bool has_fault(int fault) {
  static const int chosen = [] {
    const char* const text = std::getenv("PITBOSS_FAULT");
    return text != nullptr ? std::atoi(text) : 0;
  }();
  note_reached(fault);
  return fault == chosen;
}

// While the compiler evaluates a function, there is no fault in it.
constexpr bool has_fault_when_run(int fault) {
  return !std::is_constant_evaluated() && has_fault(fault);
}
