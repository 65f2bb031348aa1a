#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::tests {

/// The real daemon as a process of its own; killed by the destructor. What would block for longer
/// than a timeout throws std::runtime_error.
class Daemon {
 public:
  explicit Daemon(const std::vector<std::string>& arguments);
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  /// The next line of its standard output, without the line feed.
  std::string output_line();
  /// The port in "listening HOST:PORT GAME".
  [[nodiscard]] static std::uint16_t port_of(std::string_view line);
  void signal(int number) const;
  /// Its exit code, or 128 and the signal that ended it.
  int wait(std::chrono::milliseconds limit = std::chrono::seconds(10));
  /// All it has written to standard error; after `wait`.
  [[nodiscard]] std::string errors() const;

 private:
  pid_t process_ = -1;
  int output_ = -1;
  int errors_ = -1;
};

}  // namespace pitboss::tests
