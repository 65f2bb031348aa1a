#pragma once

#include <string>

namespace pitboss::engine {

/// A set of features in a search.
struct FeatureUse {
  std::string name;
  std::string sha256;  ///< of its file
  friend bool operator==(const FeatureUse&, const FeatureUse&) = default;
};

}  // namespace pitboss::engine
