#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// A terminal, or a part of one.
struct Screen {
  int width = 80;
  int height = 24;
  bool has_colour = false;
};

/// How fast an experiment goes.
struct Pace {
  int played = 0;      ///< games since the watch began
  double seconds = 0;  ///< since then
};

/// What there is to see of an experiment in play: a bar, and a line a match as far as the screen
/// has room (those in play before those to come and those that are over). No line is wider or
/// taller than the screen.
[[nodiscard]] std::vector<std::string> progress_view(const Results& results, Pace pace,
                                                     const Screen& screen);
/// The same in one line, for a log.
[[nodiscard]] std::string progress_line(const Results& results, Pace pace);

/// Tells how an experiment goes: on a terminal by a view that is redrawn, elsewhere (and where TERM
/// is "dumb") by a line every ten seconds. NO_COLOR is honoured. Not thread-safe.
class Progress {
 public:
  explicit Progress(std::FILE* out = stderr);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Draws, if it is time to. The games of the first call do not count for the speed.
  void update(const Results& results);
  /// Clears the view.
  void finish() { clear(); }
  /// Tells something that stays, in one line.
  void note(std::string_view text);

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] Screen screen() const;
  [[nodiscard]] std::string erasure();
  void clear();

  std::FILE* out_;
  bool is_live_;
  int lines_drawn_ = 0;
  int games_before_ = -1;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace pitboss::clients
