// Highway compiles what is in here once for every instruction set of the file that includes it;
// therefore the guard is not a "once".
#if defined(PITBOSS_ENGINE_BOUND_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_BOUND_INL
#undef PITBOSS_ENGINE_BOUND_INL
#else
#define PITBOSS_ENGINE_BOUND_INL
#endif

#include <hwy/highway.h>

#include "engine/tree/scoring.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

/// The scores of as many moves as `d` has lanes: UCB1's bound, or UCB1-Tuned's (formulas.hpp).
template <bool Tuned, class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> bound_of(D d, const float* base, const float* variance,
                                               const float* spread, Exploration x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto width = hn::Load(d, spread);
  auto bonus = hn::Mul(hn::Set(d, x.root_log), width);
  if constexpr (Tuned) {
    const auto limit = hn::Add(hn::Load(d, variance), hn::Mul(hn::Set(d, x.root_2log), width));
    bonus = hn::Mul(bonus, hn::Sqrt(hn::Min(hn::Set(d, x.most_variance), limit)));
  }
  return hn::Add(hn::Load(d, base), bonus);
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
