// Not for instruction sets whose vectors have no size at compile time: they make no arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include "engine/leaf/network/fused_peak.hpp"

#include "engine/instruction_set.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/leaf/network/fused_peak.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

double run(int steps) {
  const hn::CappedTag<float, 16> d;
  constexpr int chains = 12;  // more than latency times units, fewer than registers
  const auto factor = hn::Set(d, 0.5F + static_cast<float>(steps & 1));
  const auto term = hn::Set(d, 1.0F + static_cast<float>(steps & 2));
  hn::Vec<decltype(d)> sum[chains];
  for (auto& chain : sum) chain = term;
  for (int i = 0; i < steps; ++i) {
    for (auto& chain : sum) chain = hn::MulAdd(chain, factor, term);
  }
  for (int i = 1; i < chains; ++i) sum[0] = hn::Add(sum[0], sum[i]);
  volatile float kept = hn::GetLane(sum[0]);  // or the compiler leaves out the loop
  static_cast<void>(kept);
  return static_cast<double>(steps) * chains * static_cast<double>(hn::Lanes(d));
}

const char* name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(run);
HWY_EXPORT(name);

double multiply_and_add(int steps) {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(run)(steps);
}

const char* instruction_set() {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(name)();
}

}  // namespace pitboss::engine
#endif
