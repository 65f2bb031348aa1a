#pragma once

#include <string>
#include <vector>

#include "engine/policy/features/feature_set.hpp"

namespace pitboss::clients {

/// A set with what is known of its features.
struct FeatureReport {
  engine::FeatureSet set;
  std::vector<double> shares;      ///< of the legal moves of random games: where each is active
  int games = 0;                   ///< so many of these
  std::vector<std::size_t> order;  ///< the heaviest first
};
/// A page with a picture of each feature.
[[nodiscard]] std::string features_page(const FeatureReport& report);

/// "0.25" by the format "%.2f".
[[nodiscard]] std::string number_text(const char* format, double number);

}  // namespace pitboss::clients
