#pragma once

#include <cmath>

namespace pitboss::games {

/// The logistic function, by which static values make a probability of a sum.
[[nodiscard]] inline double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

}  // namespace pitboss::games
