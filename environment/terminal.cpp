#include "environment/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "environment/variable.hpp"

namespace pitboss::environment {

std::optional<Screen> screen_of(std::FILE* out) {
  const int file = ::fileno(out);
  const std::string kind = variable("TERM");
  if (::isatty(file) != 1 || kind.empty() || kind == "dumb") return std::nullopt;
  Screen screen;
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
    screen.width = size.ws_col;
    screen.height = size.ws_row;
  }
  screen.has_colour = variable("NO_COLOR").empty();
  return screen;
}

}  // namespace pitboss::environment
