#include "clients/referee/progress.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "clients/referee/summary.hpp"

namespace pitboss::clients {

namespace {

std::string duration_text(double seconds) {
  char text[32];
  const auto whole = std::llround(seconds);
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  }
  return text;
}

}  // namespace

Progress::Progress(int total)
    : is_terminal_(::isatty(STDERR_FILENO) == 1),
      total_(total),
      next_(is_terminal_ ? start_ : start_ + std::chrono::seconds(10)) {}

Progress::~Progress() { clear_line(); }

void Progress::update(const Standings& standings) {
  if (games_before_ < 0) games_before_ = standings.games();
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + (is_terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10));

  const double seconds = std::chrono::duration<double>(now - start_).count();
  const int played = standings.games() - games_before_;
  std::string speed;
  if (played > 0) {
    char text[64];
    std::snprintf(text, sizeof text, ", %.1f games/min, ", 60.0 * played / seconds);
    speed = text + duration_text(seconds / played * (total_ - standings.games())) + " left";
  }
  clear_line();
  std::fprintf(stderr, "%d/%d  %s%s%s", standings.games(), total_,
               score_text(standings.tally(0)).c_str(), speed.c_str(), is_terminal_ ? "" : "\n");
  std::fflush(stderr);
  is_drawn_ = is_terminal_;
}

void Progress::note(std::string_view text) {
  clear_line();
  std::fprintf(stderr, "%.*s\n", static_cast<int>(text.size()), text.data());
}

void Progress::clear_line() {
  if (is_drawn_) std::fputs("\r\033[K", stderr);
  is_drawn_ = false;
}

}  // namespace pitboss::clients
