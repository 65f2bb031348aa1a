#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace pitboss::peers {

/// A program that runs beside the test; killed when destroyed.
class Process {
 public:
  /// Standard output and error go to files.
  Process(std::vector<std::string> command, const std::filesystem::path& out,
          const std::filesystem::path& err = "/dev/null");
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const;
  /// Waits for the end: the exit code, or minus the signal that ended it. A process that is not
  /// through by then is killed.
  int wait(std::chrono::milliseconds patience = std::chrono::seconds(60));

 private:
  pid_t pid_ = -1;
};

}  // namespace pitboss::peers
