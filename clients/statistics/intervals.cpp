#include "clients/statistics/intervals.hpp"

#include <algorithm>
#include <cmath>

namespace pitboss::clients {

Interval score_interval(double points, int games) {
  if (games == 0) return {0.0, 1.0};
  const double n = games;
  const double p = points / n;
  const double rule_of_three = -std::log(0.05) / n;
  if (points <= 0.0) return {0.0, std::min(1.0, rule_of_three)};
  if (points >= n) return {std::max(0.0, 1.0 - rule_of_three), 1.0};

  const double z = normal_95;
  const double middle = 2.0 * n * p + z * z;
  const double spread = z * z - 1.0 / n + 4.0 * n * p * (1.0 - p);
  const double correction = 4.0 * p - 2.0;
  const double scale = 2.0 * (n + z * z);
  return {std::max(0.0, (middle - (z * std::sqrt(spread + correction) + 1.0)) / scale),
          std::min(1.0, (middle + (z * std::sqrt(spread - correction) + 1.0)) / scale)};
}

}  // namespace pitboss::clients
