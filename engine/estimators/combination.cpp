#include "engine/estimators/combination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/estimators/combination.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As `combined`, for as many moves as a vector has lanes.
void bounds(std::span<const EstimateColumn> columns, float z, int padded, float* bound) {
  const hn::CappedTag<float, 8> d;
  using Floats = hn::Vec<decltype(d)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto set = [&](float x) HWY_ATTR { return hn::Set(d, x); };
  const Floats zero = hn::Zero(d);
  const Floats one = set(1);
  const Floats half = set(0.5F);
  const Floats z1 = set(z);
  const Floats z2 = set(z * z);
  for (int i = 0; i < padded; i += lanes) {
    Floats precisions = zero;  // sum of 1 / MSE
    Floats means = zero;
    Floats widths = zero;
    for (const EstimateColumn& column : columns) {
      const Floats count = hn::Load(d, column.count + i);
      const auto seen = hn::Gt(count, zero);
      const Floats n = hn::Max(count, one);
      const Floats t = hn::Load(d, column.mean + i);
      // The interval of 1 - p is that of p turned round, and so is theta.
      const Floats p = hn::Max(t, hn::Sub(one, t));
      const Floats spread =
          hn::Add(hn::Sub(z2, hn::Div(one, n)),
                  hn::Add(hn::Mul(hn::Mul(set(4), n), hn::Mul(p, hn::Sub(one, p))),
                          hn::Sub(hn::Mul(set(4), p), set(2))));
      const Floats low =
          hn::Div(hn::Sub(hn::Add(hn::Mul(hn::Mul(set(2), n), p), z2),
                          hn::Add(hn::Mul(z1, hn::Sqrt(hn::Max(spread, zero))), one)),
                  hn::Mul(set(2), hn::Add(n, z2)));
      const Floats theta = hn::Max(half, low);
      const Floats variance = hn::Div(hn::Mul(theta, hn::Sub(one, theta)), n);
      const Floats precision =
          hn::IfThenElseZero(seen, hn::Div(one, hn::Add(variance, set(column.bias_squared))));
      precisions = hn::Add(precisions, precision);
      means = hn::Add(means, hn::IfThenElseZero(seen, hn::Mul(precision, t)));
      widths = hn::Add(
          widths, hn::Div(hn::Mul(hn::Mul(precision, precision), set(column.width_squared)), n));
    }
    const auto known = hn::Gt(precisions, zero);
    const Floats sum = hn::IfThenElse(known, precisions, one);
    const Floats value = hn::Div(hn::Add(means, hn::Sqrt(widths)), sum);
    hn::Store(hn::IfThenElse(known, value, set(std::numeric_limits<float>::infinity())), d,
              bound + i);
  }
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(bounds);

void combined_bounds(std::span<const EstimateColumn> columns, float z, int padded, float* bound) {
  HWY_DYNAMIC_DISPATCH(bounds)(columns, z, padded, bound);
}

double wilson_lower(double p, double n, double z) {
  if (p <= 0) return 0;
  const double spread = z * z - 1 / n + 4 * n * p * (1 - p) + (4 * p - 2);
  const double low =
      (2 * n * p + z * z - (z * std::sqrt(std::max(spread, 0.0)) + 1)) / (2 * (n + z * z));
  return std::max(low, 0.0);
}

double largest_variance(double p, double n, double z) {
  const double far = std::max(p, 1 - p);  // the interval of 1 - p is that of p turned round
  const double theta = std::max(0.5, wilson_lower(far, n, z));
  return theta * (1 - theta) / n;
}

CombinedEstimate combined(std::span<const Estimate> estimates, double log_t, double z,
                          std::span<double> weights) {
  double precisions = 0;
  double means = 0;
  double widths = 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const Estimate& e = estimates[i];
    if (!weights.empty()) weights[i] = 0;
    if (e.count <= 0) continue;
    const double precision = 1 / (largest_variance(e.mean, e.count, z) + e.bias * e.bias);
    precisions += precision;
    means += precision * e.mean;
    widths += precision * precision * e.exploration * e.exploration * 8 * log_t / e.count;
    if (!weights.empty()) weights[i] = precision;
  }
  for (double& weight : weights) weight /= precisions;
  return {means / precisions, std::sqrt(widths) / precisions};
}

}  // namespace pitboss::engine
#endif
