#include "engine/fact_passes.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/fact_passes.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Two lanes on every machine would be slow, and the order of a product must not depend on the
// machine: eight running products, kept in as many vectors as it takes.
using Doubles = hn::CappedTag<double, 8>;
constexpr int width = 8;

HWY_INLINE double product(const double* lanes) {
  return ((lanes[0] * lanes[1]) * (lanes[2] * lanes[3])) *
         ((lanes[4] * lanes[5]) * (lanes[6] * lanes[7]));
}

Densities multiply(double* counts, int n, double per_n, double per_n_next) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = hn::Set(d, 1.0);
  const auto scale = hn::Set(d, per_n);
  const auto next_scale = hn::Set(d, per_n_next);
  alignas(64) double before[width];
  alignas(64) double after[width];
  for (int lane = 0; lane < width; lane += lanes) {
    auto rho = one;
    auto rho_next = one;
    for (int i = lane; i < n; i += width) {
      const auto count = hn::Load(d, counts + i);
      const auto next = hn::Add(count, one);
      hn::Store(next, d, counts + i);
      rho = hn::Mul(rho, hn::Mul(count, scale));
      rho_next = hn::Mul(rho_next, hn::Mul(next, next_scale));
    }
    hn::Store(rho, d, before + lane);
    hn::Store(rho_next, d, after + lane);
  }
  return {product(before), product(after)};
}

int compare(double* counts, int n, double cut) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = hn::Set(d, 1.0);
  const auto bound = hn::Set(d, cut);
  std::size_t below = 0;
  for (int i = 0; i < n; i += lanes) {
    const auto count = hn::Add(hn::Load(d, counts + i), one);
    hn::Store(count, d, counts + i);
    below += hn::CountTrue(d, hn::Lt(count, bound));
  }
  return static_cast<int>(below);
}

bool raise_all(double* best, int n, double value) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto wanted = hn::Set(d, value);
  auto lowest = wanted;
  for (int i = 0; i < n; i += lanes) {
    const auto so_far = hn::Load(d, best + i);
    lowest = hn::Min(lowest, so_far);
    hn::Store(hn::Max(so_far, wanted), d, best + i);
  }
  return hn::GetLane(hn::MinOfLanes(d, lowest)) < value;
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(multiply);
HWY_EXPORT(compare);
HWY_EXPORT(raise_all);

Densities multiply_and_count(double* counts, int n, double per_n, double per_n_next) {
  return HWY_DYNAMIC_DISPATCH(multiply)(counts, n, per_n, per_n_next);
}
int count_and_compare(double* counts, int n, double cut) {
  return HWY_DYNAMIC_DISPATCH(compare)(counts, n, cut);
}
bool raise(double* best, int n, double value) {
  return HWY_DYNAMIC_DISPATCH(raise_all)(best, n, value);
}

}  // namespace pitboss::engine
#endif
