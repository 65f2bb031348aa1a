#pragma once

#include <cstdint>
#include <memory>
#include <string>
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

/// A network in a search, and how often the search has asked it.
struct NetworkUse {
  std::string name;
  std::string sha256;            ///< of its file
  std::int64_t evaluations = 0;  ///< that it was asked for
  std::int64_t cached = 0;       ///< of these, those that the cache knew
  std::int64_t remote = 0;       ///< of these, those that another machine answered
  /// Those that the kernels of this process computed.
  [[nodiscard]] std::int64_t local() const { return evaluations - cached - remote; }
  /// What has been counted since `before`.
  [[nodiscard]] NetworkUse since(const NetworkUse& before) const {
    return {name, sha256, evaluations - before.evaluations, cached - before.cached,
            remote - before.remote};
  }
};

/// A set of features in a search.
struct FeatureUse {
  std::string name;
  std::string sha256;  ///< of its file
  friend bool operator==(const FeatureUse&, const FeatureUse&) = default;
};

}  // namespace pitboss::engine
