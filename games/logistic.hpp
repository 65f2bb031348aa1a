#pragma once

#include <cmath>

namespace pitboss::games {

/// The logistic function, by which static values map a sum to a probability.
[[nodiscard]] inline double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace pitboss::games
