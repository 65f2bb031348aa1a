#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pitboss::clients {

/// Pearson's chi-squared test of homogeneity.
struct Homogeneity {
  double statistic = 0;
  int degrees = 0;  ///< of freedom
  double p = 1;     ///< how often groups that are alike differ as much, or more
};

/// Whether groups can be samples of one distribution: `groups` holds how many of each group fell
/// into each class, the classes in their order. Neighbouring classes are joined until each group
/// expects five or more in each (Cochran 1954), so that the distribution of the statistic is that
/// of chi-squared. Nothing if that leaves fewer than two classes, or for fewer than two groups.
/// Throws std::invalid_argument if the groups have different numbers of classes, or a negative
/// count.
[[nodiscard]] std::optional<Homogeneity> homogeneity(
    std::span<const std::vector<std::int64_t>> groups);

}  // namespace pitboss::clients
