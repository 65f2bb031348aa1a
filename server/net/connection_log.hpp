#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::server {

/// Logs lines about connections of one kind and their tokens, at most a hundred in ten seconds, so
/// that clients who reconnect or guess tokens do not fill the disk; all lines at level debug.
/// Belongs to the I/O thread.
class ConnectionLog {
 public:
  explicit ConnectionLog(std::string kind) : kind_(std::move(kind)) {}
  void note(const std::string& line);

 private:
  using SteadyClock = environment::AwakeClock;

  const std::string kind_;
  SteadyClock::time_point begun_{};
  int written_ = 0;  ///< since `begun_`
  int left_out_ = 0;
};

}  // namespace pitboss::server
