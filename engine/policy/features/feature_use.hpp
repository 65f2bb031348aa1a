#pragma once

#include <string>

namespace pitboss::engine {

/// A set of features in a search.
struct FeatureUse {
  std::string name;
  std::string sha256;  ///< of its file
};

}  // namespace pitboss::engine
