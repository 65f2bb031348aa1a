#pragma once

#include <optional>
#include <vector>

#include "clients/experiments/statistics/intervals.hpp"

namespace pitboss::clients {

/// The median of at least one number.
[[nodiscard]] double median(std::vector<double> values);

/// The median of a sample, and where that of its distribution lies.
struct MedianEstimate {
  double value = 0;
  /// 95 %, whatever the distribution: from one of the sample to another. Nothing if the sample has
  /// fewer than `least_for_interval`.
  std::optional<Interval> interval;
  int count = 0;  ///< of the sample
};
inline constexpr int least_for_interval = 6;
/// Of at least one number. The interval goes from the r-th lowest to the r-th highest, with the
/// highest r for which fewer than r of the sample lie below the median, or above it, with a
/// probability of at most 2.5 % each.
[[nodiscard]] MedianEstimate estimate_median(std::vector<double> sample);

}  // namespace pitboss::clients
