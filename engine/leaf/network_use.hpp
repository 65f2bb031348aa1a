#pragma once

#include <cstdint>
#include <string>

namespace pitboss::engine {

/// A network in a search, and what it was asked.
struct NetworkUse {
  std::string name;
  std::string sha256;            ///< of its file
  std::int64_t evaluations = 0;  ///< that it was asked for
  std::int64_t cached = 0;       ///< of these, those that the cache knew
  std::int64_t remote = 0;       ///< of these, those that another machine answered
  /// Those that the kernels of this process computed.
  [[nodiscard]] std::int64_t local() const { return evaluations - cached - remote; }
};

}  // namespace pitboss::engine
