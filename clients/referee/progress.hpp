#pragma once

#include <chrono>
#include <string_view>

#include "clients/referee/standings.hpp"

namespace pitboss::clients {

/// Tells on standard error how a match goes: one line, redrawn, on a terminal; elsewhere a line
/// every ten seconds. Not thread-safe.
class Progress {
 public:
  /// Of a match of `total` games.
  explicit Progress(int total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Draws the line, if it is time to. The games of the first call do not count for the speed.
  void update(const Standings& standings);
  /// Clears the line.
  void finish() { clear_line(); }
  /// Tells something that stays.
  void note(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;
  void clear_line();

  bool is_terminal_;
  bool is_drawn_ = false;
  int total_;
  int games_before_ = -1;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace pitboss::clients
