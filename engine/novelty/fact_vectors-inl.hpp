// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_FACT_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_FACT_VECTORS_INL
#undef PITBOSS_ENGINE_FACT_VECTORS_INL
#else
#define PITBOSS_ENGINE_FACT_VECTORS_INL
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "engine/novelty/bytes_of_bits.hpp"

/// Vector operations of the passes over a board's facts (fact_passes.hpp).
HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// Vectors of up to `Lanes` counts, and of half as many doubles.
template <int Lanes>
using Counts = hn::CappedTag<std::uint32_t, Lanes>;
template <int Lanes>
using Doubles = hn::RebindToFloat<hn::RepartitionToWide<Counts<Lanes> > >;

/// Whether a mask is a number with a bit for each lane; else (except on SVE and RVV) a vector.
constexpr bool masks_are_bits = HWY_TARGET <= HWY_AVX3;

/// A mask of a group's points from number `first` on, one per lane of `d`: whether each is set.
template <class D>
HWY_INLINE auto points_set(D d, std::uint16_t points, int first) {
  static_assert(sizeof(hn::TFromD<D>) == sizeof(std::uint32_t));
  if constexpr (masks_are_bits) {
    const int onward = points >> first;
    std::uint8_t bytes[sizeof(onward)];
    std::memcpy(bytes, &onward, sizeof(onward));
    return hn::LoadMaskBits(d, bytes);
  } else if constexpr (hn::MaxLanes(d) <= 8) {
    const auto bytes = hn::Load(hn::Rebind<std::int8_t, D>(),
                                bytes_of_bits[points >> first / 8 * 8 & 0xff].data() + first % 8);
    return hn::RebindMask(d, hn::MaskFromVec(hn::PromoteTo(hn::RebindToSigned<D>(), bytes)));
  } else {
    const hn::RebindToUnsigned<D> lane;
    const auto place = hn::Iota(lane, static_cast<std::uint32_t>(first));
    const auto bit = hn::Shl(hn::Set(lane, 1U), place);
    return hn::RebindMask(d, hn::TestBit(hn::Set(lane, std::uint32_t{points}), bit));
  }
}

/// The 32-bit `counts`, incremented in the lanes of `where`.
template <class D>
HWY_INLINE hn::Vec<D> one_more_where(D d, hn::Mask<D> where, hn::Vec<D> counts) {
  if constexpr (masks_are_bits) {
    return hn::IfThenElse(where, hn::Add(counts, hn::Set(d, 1U)), counts);
  } else {
    return hn::Sub(counts, hn::VecFromMask(d, where));  // a lane of the mask is -1
  }
}

/// x (c + 1), rounded once, for counts c = k + 1/2 or k + 1 below 2^32. Adding 1 to such a count is
/// exact, so machines with and without a fused operation give the same bits.
template <class V>
HWY_INLINE V times_next(V x, V c, V one) {
#if HWY_NATIVE_FMA
  static_cast<void>(one);
  return hn::MulAdd(x, c, x);
#else
  return hn::Mul(x, hn::Add(c, one));
#endif
}

using Two = hn::FixedTag<double, 2>;

HWY_INLINE double product_of(hn::Vec<Two> x) {
  return hn::GetLane(hn::Mul(x, hn::InterleaveUpper(Two(), x, x)));
}

/// Eight numbers, multiplied with each other in an order that does not depend on the machine.
HWY_INLINE double product_of_eight(const double* numbers) {
  const auto at = [&](int i) HWY_ATTR { return hn::Load(Two(), numbers + i); };
  return product_of(hn::Mul(hn::Mul(at(0), at(4)), hn::Mul(at(2), at(6))));
}

#endif
}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
