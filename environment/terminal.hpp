#pragma once

#include <cstdio>
#include <optional>

namespace pitboss::environment {

/// The size and abilities of a terminal, or of a part of one.
struct Screen {
  int width = 80;  ///< in characters
  int height = 24;
  bool has_colour = false;  ///< NO_COLOR turns it off (no-color.org)
};

/// The screen of a terminal whose lines can be erased and drawn anew; nothing for a file, a pipe,
/// or where TERM is `dumb` or not set. Its size is asked anew by each call, since users change it.
[[nodiscard]] std::optional<Screen> screen_of(std::FILE* out);

}  // namespace pitboss::environment
