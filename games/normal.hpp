#pragma once

#include <cmath>
#include <numbers>

#include "games/random.hpp"

namespace pitboss::games {

/// A draw from the normal distribution with mean 0 and deviation 1 (Box, Muller 1958). `log` and
/// `cos` are the C library's.
[[nodiscard]] inline double normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace pitboss::games
