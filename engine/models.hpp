#pragma once

#include <memory>
#include <utility>

namespace pitboss::engine {

class Networks;
class FeatureSets;

/// What options name that is not part of the program; null: there is none of the kind.
struct Models {
  Models() = default;
  /// Networks alone.
  Models(std::shared_ptr<Networks> some)  // NOLINT(google-explicit-constructor): most have no more
      : networks(std::move(some)) {}

  std::shared_ptr<Networks> networks;
  std::shared_ptr<FeatureSets> feature_sets;
};

}  // namespace pitboss::engine
