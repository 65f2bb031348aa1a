#include "clients/experiments/statistics/intervals.hpp"

#include <algorithm>
#include <cmath>

#include "engine/formulas.hpp"

namespace pitboss::clients {

Interval score_interval(double points, int games) {
  if (games == 0) return {0.0, 1.0};
  const double n = games;
  const double p = points / n;
  const double rule_of_three = -std::log(0.05) / n;
  if (points <= 0.0) return {0.0, std::min(1.0, rule_of_three)};
  if (points >= n) return {std::max(0.0, 1.0 - rule_of_three), 1.0};

  return {1.0 - engine::wilson_upper(1.0 - p, n, engine::normal_95),
          engine::wilson_upper(p, n, engine::normal_95)};
}

Interval wilson_interval(double points, int games) {
  if (games == 0) return {0.0, 1.0};
  const double n = games;
  const double p = points / n;
  const double z = exact_normal_95;
  const double scale = 1.0 + z * z / n;
  const double centre = (p + z * z / (2.0 * n)) / scale;
  const double half_width = z * std::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n)) / scale;
  return {std::max(0.0, centre - half_width), std::min(1.0, centre + half_width)};
}

}  // namespace pitboss::clients
