#pragma once

#include <vector>

#include "clients/tuning/unit_space.hpp"

namespace pitboss::clients {

/// How alike the scores of two points are: a share of it by each parameter for itself, the rest by
/// all together, both Matern 5/2. An unknown constant is added.
struct Likeness {
  /// Of each parameter, by which it must change for the score to be another.
  std::vector<double> lengths;
  double deviation = 0.1;       ///< of the scores around their mean
  double alone = 0.3;           ///< the share of the parameters each for itself
  std::vector<bool> are_words;  ///< parameters whose values are all as far from each other

  [[nodiscard]] double operator()(const UnitPoint& a, const UnitPoint& b) const;
};

/// The score at a point, with the variance of its noise.
struct Observation {
  UnitPoint at;
  double score;
  double variance;
};

}  // namespace pitboss::clients
