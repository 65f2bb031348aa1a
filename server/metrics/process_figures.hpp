#pragma once

#include <optional>

namespace pitboss::server {

/// What the system knows of this process.
struct ProcessFigures {
  std::optional<double> resident_bytes;  ///< nothing when no file can be opened
  double processor_seconds;
};
[[nodiscard]] ProcessFigures process_figures();

}  // namespace pitboss::server
