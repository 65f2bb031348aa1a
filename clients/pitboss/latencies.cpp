#include "clients/pitboss/latencies.hpp"

#include <algorithm>
#include <cmath>

namespace pitboss::clients {

namespace {

constexpr double first = 1000;  // ns
const double width = std::log(1.01);

}  // namespace

void Latencies::add(Duration latency) {
  const double ratio = std::max(1.0, static_cast<double>(latency.count()) / first);
  const auto index = static_cast<std::size_t>(std::ceil(std::log(ratio) / width));
  ++classes_[std::min(index, classes_.size() - 1)];
  ++count_;
  longest_ = std::max(longest_, latency);
}

Latencies::Duration Latencies::quantile(double share) const {
  const auto wanted = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(count_)));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    seen += classes_[i];
    if (seen < std::max<std::int64_t>(wanted, 1)) continue;
    const double upper = first * std::exp(width * static_cast<double>(i));
    return std::min(Duration(std::llround(upper)), longest_);
  }
  return Duration{};
}

}  // namespace pitboss::clients
