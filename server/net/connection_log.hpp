#pragma once

#include <chrono>
#include <string>
#include <utility>

namespace pitboss::server {

/// The log's lines about connections of one kind and the tokens that they show, a hundred in ten
/// seconds at most, so that clients who come and go, or guess, do not fill the disk; at the level
/// debug all of them. Belongs to the I/O thread.
class ConnectionLog {
 public:
  explicit ConnectionLog(std::string kind) : kind_(std::move(kind)) {}
  void note(const std::string& line);

 private:
  using SteadyClock = std::chrono::steady_clock;

  const std::string kind_;
  SteadyClock::time_point begun_{};
  int written_ = 0;  ///< since then
  int left_out_ = 0;
};

}  // namespace pitboss::server
