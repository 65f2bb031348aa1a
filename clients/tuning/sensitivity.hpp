#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/tuning/likeness.hpp"

namespace pitboss::clients {

/// The expected score with one value changed, less that of the answer, in points per game.
struct ChangedScore {
  std::string value;
  double lead;
  double deviation;  ///< of the lead, as the model believes
};

/// What a tuned parameter does to the score.
struct Sensitivity {
  /// The total effect of a variance-based analysis (Homma and Saltelli 1996), in [0, 1]: the share
  /// of the variance of the expected scores, over the whole space, in which the parameter has a
  /// part, alone or together with others. Such shares may add up to more than 1.
  double importance = 0;
  /// The other parameters being those of the answer. Of a range evenly in its coordinate, the
  /// answer among them; of a list each value.
  std::vector<ChangedScore> changes = {};
};

/// For each parameter of the space, as the Gaussian process over these scores expects it. Takes
/// the cube of the number of scores in time: about a second for 300.
[[nodiscard]] std::vector<Sensitivity> sensitivities(const UnitSpace& space,
                                                     std::span<const Observation> observations,
                                                     const Values& answer);

}  // namespace pitboss::clients
