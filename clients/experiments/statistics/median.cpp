#include "clients/experiments/statistics/median.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

namespace pitboss::clients {

namespace {

/// How many of the lowest, and of the highest, of so many numbers lie outside the interval.
std::size_t outside(std::size_t count) {
  // The quantile is rounded down: fewer or as many lie below the median with at most 2.5 %.
  const boost::math::binomial below(static_cast<double>(count), 0.5);
  return static_cast<std::size_t>(boost::math::quantile(below, 0.025));
}

}  // namespace

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

MedianEstimate estimate_median(std::vector<double> sample) {
  std::ranges::sort(sample);
  MedianEstimate out{median(sample), std::nullopt, static_cast<int>(sample.size())};
  if (out.count < least_for_interval) return out;
  const std::size_t cut = outside(sample.size());
  out.interval = Interval{sample[cut], sample[sample.size() - 1 - cut]};
  return out;
}

}  // namespace pitboss::clients
