#pragma once

#include <chrono>
#include <string>

namespace pitboss::server {

/// The log's lines about connections and the tokens that they show, a hundred in ten seconds at
/// most, so that clients who come and go, or guess, do not fill the disk; at the level debug all of
/// them. Belongs to the I/O thread.
class ConnectionLog {
 public:
  void note(const std::string& line);

 private:
  using SteadyClock = std::chrono::steady_clock;

  SteadyClock::time_point begun_{};
  int written_ = 0;  ///< since then
  int left_out_ = 0;
};

}  // namespace pitboss::server
