#include "engine/leaf/quality_rewards.hpp"

#include <algorithm>
#include <cmath>

namespace pitboss::engine {

double AdaptiveBound::value(double fixed) const {
  if (count_ < least_wins || squares_ <= 0) return fixed;
  return std::min(1.0, std::abs(products_ / squares_));
}

void AdaptiveBound::add(double x, bool won) {
  ++count_;
  const double share = 1.0 / count_;
  const double y = won ? x : 0;
  const double off = x - mean_;
  mean_ += off * share;
  won_mean_ += (y - won_mean_) * share;
  squares_ += off * (x - mean_);
  products_ += off * (y - won_mean_);
}

}  // namespace pitboss::engine
