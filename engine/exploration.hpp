#pragma once

#include <cstdint>

#include "engine/scoring.hpp"

namespace pitboss::engine {

/// sqrt(ln n), from a table for small n; 0 for n < 2.
[[nodiscard]] float root_log(std::uint32_t n);

/// What the exploration terms need of a node whose moves have `samples` samples together.
[[nodiscard]] inline Exploration exploration(float k, std::uint32_t samples) {
  constexpr float root2 = 1.41421356F;
  const float root = root_log(samples);
  return {k * root, root2 * root};
}

/// A seed that nobody can foretell, in [1, 2^53).
[[nodiscard]] std::uint64_t fresh_seed();

}  // namespace pitboss::engine
