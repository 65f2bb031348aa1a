#pragma once

#include <string>
#include <vector>

#include "engine/policy/features/feature_set.hpp"

namespace pitboss::clients {

/// A set of features and statistics of them.
struct FeatureReport {
  engine::FeatureSet set;
  std::vector<double> shares;      ///< by feature: share of legal moves at which it is active
  int games = 0;                   ///< random games that had these moves
  std::vector<std::size_t> order;  ///< of the features, the heaviest first
};
/// A page with a picture of each feature.
[[nodiscard]] std::string features_page(const FeatureReport& report);

}  // namespace pitboss::clients
