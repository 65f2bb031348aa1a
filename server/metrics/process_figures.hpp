#pragma once

namespace pitboss::server {

/// What the system knows of this process.
struct ProcessFigures {
  double resident_bytes;
  double processor_seconds;
};
[[nodiscard]] ProcessFigures process_figures();

}  // namespace pitboss::server
