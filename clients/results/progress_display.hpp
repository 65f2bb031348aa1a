#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "clients/referee/results.hpp"
#include "environment/awake_clock.hpp"
#include "environment/terminal.hpp"

namespace pitboss::clients {

using environment::Screen;

/// The speed of an experiment.
struct Throughput {
  int played = 0;      ///< games since the display began
  double seconds = 0;  ///< since then
};

/// The lines that show an experiment in play: a bar, and one line per match while the screen has
/// room (matches in play before those to come and those that are over). No line is wider than the
/// screen, and there are no more lines than it has.
[[nodiscard]] std::vector<std::string> progress_view(const Results& results, Throughput throughput,
                                                     const Screen& screen);
/// The same in one line, for a log.
[[nodiscard]] std::string progress_line(const Results& results, Throughput throughput);

/// Shows the progress of an experiment: on a terminal by a view that is redrawn, elsewhere (and
/// where TERM is "dumb") by a line every ten seconds. NO_COLOR is honoured. Not thread-safe.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(std::FILE* out = stderr);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Draws the results, at most five times a second (a log line every ten seconds). The games of
  /// the first call do not count for the speed.
  void update(const Results& results);
  /// Clears the view.
  void finish() { clear(); }
  /// Prints a line that stays above the view.
  void note(std::string_view text);

 private:
  using AwakeClock = environment::AwakeClock;
  [[nodiscard]] std::string erasure();
  void clear();

  std::FILE* out_;
  bool is_live_;
  int lines_drawn_ = 0;
  int games_before_ = -1;
  AwakeClock::time_point start_ = AwakeClock::now();
  AwakeClock::time_point next_;
};

}  // namespace pitboss::clients
