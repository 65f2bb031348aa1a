#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/referee/results.hpp"
#include "environment/awake_clock.hpp"
#include "environment/terminal.hpp"

namespace pitboss::clients {

using environment::Screen;

/// The speed of an experiment, or of other work.
struct Throughput {
  int played = 0;      ///< games, or other things, since the display began
  double seconds = 0;  ///< since then
};

/// The lines that show an experiment in play: a bar, and one line per match while the screen has
/// room (matches in play before those to come and those that are over). No line is wider than the
/// screen, and there are no more lines than it has.
[[nodiscard]] std::vector<std::string> progress_view(const Results& results, Throughput throughput,
                                                     const Screen& screen);
/// The same in one line, for a log.
[[nodiscard]] std::string progress_line(const Results& results, Throughput throughput);

/// Other work than games: so many of its things are done, of all.
struct WorkDone {
  std::size_t done = 0;
  std::size_t all = 0;
  std::string things;  ///< "positions"
};
/// A bar with the figures of such work.
[[nodiscard]] std::string progress_view(const WorkDone& work, Throughput throughput,
                                        const Screen& screen);

/// Shows the progress of an experiment, or of other work: on a terminal by a view that is redrawn,
/// elsewhere (and where TERM is "dumb") by a line every ten seconds. NO_COLOR is honoured. Not
/// thread-safe.
class ProgressDisplay {
 public:
  explicit ProgressDisplay(std::FILE* out = stderr);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// Draws the results, at most five times a second (a log line every ten seconds). The games of
  /// the first call do not count for the speed.
  void update(const Results& results);
  /// The same of other work.
  void update(const WorkDone& work);
  /// Clears the view.
  void finish() { clear(); }
  /// Prints a line that stays above the view.
  void note(std::string_view text);

 private:
  using AwakeClock = environment::AwakeClock;
  /// Whether something is to be drawn now; if so, what has been done since the display began.
  std::optional<Throughput> due(int done);
  void draw(const std::vector<std::string>& lines);
  [[nodiscard]] std::string erasure();
  void clear();

  std::FILE* out_;
  bool is_live_;
  int lines_drawn_ = 0;
  int done_before_ = -1;
  AwakeClock::time_point start_ = AwakeClock::now();
  AwakeClock::time_point next_;
};

}  // namespace pitboss::clients
