#include "engine/estimators/combination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/formulas.hpp"
#include "engine/instruction_set.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/estimators/combination.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// As `combined`, for as many moves as a vector has lanes. With D = 2 (n + z^2), and A / D the
/// interval's end on the side of 1/2, the precision 1 / MSE is n D^2 / (A (D - A) + n b^2 D^2).
float bounds(std::span<const EstimateColumn> columns, BoundRule rule, int moves, float* bound) {
  const hn::CappedTag<float, 8> d;
  using Floats = hn::Vec<decltype(d)>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto set = [&](float x) HWY_ATTR { return hn::Set(d, x); };
  const Floats zero = hn::Zero(d);
  const Floats one = set(1);
  const Floats two = set(2);
  const Floats unknown = set(rule.unknown);
  const Floats z1 = set(rule.z);
  const Floats z2 = set(rule.z * rule.z);
  const Floats least = set(-std::numeric_limits<float>::infinity());
  Floats highest = least;
  for (int i = 0; i < moves; i += lanes) {
    Floats precisions = zero;  // sum of 1 / MSE
    Floats means = zero;
    Floats widths = zero;
    for (const EstimateColumn& column : columns) {
      const Floats count = hn::Load(d, column.count + i);
      const auto seen = hn::Ge(count, set(column.least_count));
      const Floats n = hn::Max(count, one);
      const Floats share = hn::Div(one, n);
      const Floats t = hn::IfThenElseZero(seen, hn::Load(d, column.mean + i));
      // The interval of 1 - t mirrors that of t, and so does theta; below 1/2 no digits cancel.
      const Floats q = hn::Max(zero, hn::Min(t, hn::Sub(one, t)));
      const Floats nq = hn::Mul(n, q);
      const Floats radicand =
          hn::Add(hn::Add(hn::Sub(z2, share), hn::Mul(set(4), hn::Mul(nq, hn::Sub(one, q)))),
                  hn::Sub(two, hn::Mul(set(4), q)));
      const Floats whole = hn::Mul(two, hn::Add(n, z2));
      const Floats end = hn::Add(hn::Add(hn::Mul(two, nq), z2),
                                 hn::Add(hn::Mul(z1, hn::Sqrt(hn::Max(radicand, zero))), one));
      const Floats part = hn::Min(end, hn::Mul(set(0.5F), whole));
      const Floats scale = hn::Mul(n, hn::Mul(whole, whole));
      const Floats error =
          hn::Add(hn::Mul(part, hn::Sub(whole, part)), hn::Mul(set(column.bias_squared), scale));
      const Floats precision = hn::IfThenElseZero(seen, hn::Div(scale, error));
      precisions = hn::Add(precisions, precision);
      means = hn::Add(means, hn::Mul(precision, t));
      widths = hn::Add(widths, hn::Mul(hn::Mul(hn::Mul(precision, share), precision),
                                       set(column.width_squared)));
    }
    const auto known = hn::Gt(precisions, zero);
    const Floats sum = hn::IfThenElse(known, precisions, one);
    const Floats value =
        hn::IfThenElse(known, hn::Div(hn::Add(means, hn::Sqrt(widths)), sum), unknown);
    hn::Store(value, d, bound + i);
    const auto inside = hn::FirstN(d, static_cast<std::size_t>(moves - i));
    highest = hn::Max(highest, hn::IfThenElse(inside, value, least));
  }
  return hn::GetLane(hn::MaxOfLanes(d, highest));
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(bounds);

float combined_bounds(std::span<const EstimateColumn> columns, BoundRule rule, int moves,
                      float* bound) {
  static const auto pass = (choose_instruction_set(), &HWY_DYNAMIC_DISPATCH(bounds));
  return pass(columns, rule, moves, bound);
}

double largest_variance(double p, double n, double z) {
  // The interval of 1 - p mirrors that of p.
  const double theta = std::min(0.5, wilson_upper(std::max(std::min(p, 1 - p), 0.0), n, z));
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
