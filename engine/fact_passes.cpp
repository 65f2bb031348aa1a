#include "engine/fact_passes.hpp"

#include <cstring>

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/fact_passes.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
// No vectors: the same, point by point.

HWY_INLINE bool is_set(const std::uint64_t* board, int point) {
  return (board[point / 64] >> point % 64) & 1U;
}

/// Calls `visit(group, point of the group, black, white)` for every point.
template <class Group, class Visit>
HWY_INLINE void for_each_point(Group* groups, int n, Stones stones, Visit&& visit) {
  for (int p = 0; p < n * group_points; ++p) {
    visit(groups[p / group_points], p % group_points, is_set(stones.black, p),
          is_set(stones.white, p));
  }
}

HWY_INLINE std::uint32_t count(GroupCounts& group, int p, bool black, bool white,
                               std::uint32_t positions) {
  if (black) return group.black[p]++;
  if (white) return group.white[p]++;
  return positions - group.black[p] - group.white[p];
}

/// The product of sixteen numbers, in the order in which vectors take them.
HWY_INLINE double product(const double* x) {
  const auto pairs = [&](int i) { return (x[i] * x[i + 1]) * (x[i + 8] * x[i + 9]); };
  return (pairs(0) * pairs(4)) * (pairs(2) * pairs(6));
}

Densities multiply(CountedGroup* groups, int n, Stones stones, std::uint32_t positions,
                   double scale, double scale_next) {
  double before[group_points];
  double after[group_points];
  for (int p = 0; p < group_points; ++p) {
    before[p] = scale;
    after[p] = scale_next;
  }
  for_each_point(groups, n, stones, [&](CountedGroup& group, int p, bool black, bool white) {
    const double bits = 0x1p52 + count(group.seen, p, black, white, positions);
    const double of_fact = bits - group.bias[bias_slot(p)];
    before[p] *= of_fact;
    after[p] *= of_fact + 1;
  });
  return {product(before), product(after)};
}

int compare(CountedGroup* groups, int n, Stones stones, std::uint32_t positions,
            std::uint32_t bound) {
  int below = 0;
  for_each_point(groups, n, stones, [&](CountedGroup& group, int p, bool black, bool white) {
    below += count(group.seen, p, black, white, positions) + 1 < bound ? 1 : 0;
  });
  return below;
}

bool raise_all(BestGroup* groups, int n, Stones stones, double value) {
  bool raised = false;
  for_each_point(groups, n, stones, [&](BestGroup& group, int p, bool black, bool white) {
    double& best = (black ? group.black : white ? group.white : group.empty)[p];
    raised |= best < value;
    if (best < value) best = value;
  });
  return raised;
}

#else

// A group is a vector of counts on the largest machines, and several on others.
using Counts = hn::CappedTag<std::uint32_t, group_points>;
using Pairs = hn::RepartitionToWide<Counts>;
using Doubles = hn::RebindToFloat<Pairs>;

/// For each of the points from number `first` of group `group` on, as many as the vectors of `d`
/// have lanes, whether it is set.
template <class D>
HWY_INLINE auto points_set(D d, const std::uint64_t* board, int group, int first) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(board) + group * group_points / 8;
#if HWY_TARGET <= HWY_AVX3
  return hn::LoadMaskBits(d, bytes + first / 8);
#else
  const hn::RebindToUnsigned<D> lane;
  const hn::Repartition<std::uint16_t, D> word;
  using Lane = hn::TFromD<decltype(lane)>;
  std::uint16_t points;
  std::memcpy(&points, bytes, sizeof(points));
  const auto place = hn::Add(hn::Iota(lane, 0), hn::Set(lane, static_cast<Lane>(first)));
  const auto bit = hn::Shl(hn::Set(lane, Lane{1}), place);
  return hn::RebindMask(d, hn::TestBit(hn::BitCast(lane, hn::Set(word, points)), bit));
#endif
}

/// Counts a position on a vector of points; returns how often its facts had been seen before.
HWY_INLINE auto count(GroupCounts& group, int first, hn::Mask<Counts> black, hn::Mask<Counts> white,
                      std::uint32_t positions) {
  const Counts d;
  const auto blacks = hn::Load(d, group.black + first);
  const auto whites = hn::Load(d, group.white + first);
  const auto empties = hn::Sub(hn::Set(d, positions), hn::Add(blacks, whites));
  const auto seen = hn::IfThenElse(white, whites, hn::IfThenElse(black, blacks, empties));
  const auto next = hn::Add(seen, hn::Set(d, 1U));
  hn::Store(hn::IfThenElse(black, next, blacks), d, group.black + first);
  hn::Store(hn::IfThenElse(white, next, whites), d, group.white + first);
  return seen;
}

/// The products of eight numbers each, in an order that does not depend on the machine.
HWY_INLINE Densities products(const double* before, const double* after) {
  const hn::FixedTag<double, 2> d;
  const auto pair = [&](const double* x) HWY_ATTR {
    return hn::Mul(hn::Mul(hn::Load(d, x), hn::Load(d, x + 4)),
                   hn::Mul(hn::Load(d, x + 2), hn::Load(d, x + 6)));
  };
  const auto both = [&](auto x)
                        HWY_ATTR { return hn::GetLane(hn::Mul(x, hn::InterleaveUpper(d, x, x))); };
  return {both(pair(before)), both(pair(after))};
}

Densities multiply(CountedGroup* groups, int n, Stones stones, std::uint32_t positions,
                   double scale, double scale_next) {
  const Counts d;
  const Pairs pairs;
  const Doubles doubles;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = hn::Set(doubles, 1.0);
  const auto two_52 = hn::Set(pairs, 0x4330000000000000U);  // the bits of 2^52; + k is a bitwise or
  const auto low_half = hn::Set(pairs, 0xffffffffU);
  alignas(64) double before[group_points / 2];
  alignas(64) double after[group_points / 2];
  for (int first = 0; first < group_points; first += lanes) {
    auto even = hn::Set(doubles, scale);
    auto odd = even;
    auto even_next = hn::Set(doubles, scale_next);
    auto odd_next = even_next;
    for (int i = 0; i < n; ++i) {
      const auto seen =
          hn::BitCast(pairs, count(groups[i].seen, first, points_set(d, stones.black, i, first),
                                   points_set(d, stones.white, i, first), positions));
      const double* bias = groups[i].bias + first / 2;
      const auto even_count = hn::Sub(hn::BitCast(doubles, hn::Or(hn::And(seen, low_half), two_52)),
                                      hn::Load(doubles, bias));
      const auto odd_count = hn::Sub(hn::BitCast(doubles, hn::Or(hn::ShiftRight<32>(seen), two_52)),
                                     hn::Load(doubles, bias + group_points / 2));
      even = hn::Mul(even, even_count);
      odd = hn::Mul(odd, odd_count);
      even_next = hn::Mul(even_next, hn::Add(even_count, one));
      odd_next = hn::Mul(odd_next, hn::Add(odd_count, one));
    }
    hn::Store(hn::Mul(even, odd), doubles, before + first / 2);
    hn::Store(hn::Mul(even_next, odd_next), doubles, after + first / 2);
  }
  return products(before, after);
}

int compare(CountedGroup* groups, int n, Stones stones, std::uint32_t positions,
            std::uint32_t bound) {
  const Counts d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  std::size_t below = 0;
  for (int first = 0; first < group_points; first += lanes) {
    for (int i = 0; i < n; ++i) {
      const auto seen = count(groups[i].seen, first, points_set(d, stones.black, i, first),
                              points_set(d, stones.white, i, first), positions);
      below += hn::CountTrue(d, hn::Lt(hn::Add(seen, hn::Set(d, 1U)), hn::Set(d, bound)));
    }
  }
  return static_cast<int>(below);
}

bool raise_all(BestGroup* groups, int n, Stones stones, double value) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto wanted = hn::Set(d, value);
  const auto for_each = [&](auto&& visit) HWY_ATTR {
    for (int first = 0; first < group_points; first += lanes) {
      for (int i = 0; i < n; ++i) {
        visit(groups[i], first, points_set(d, stones.black, i, first),
              points_set(d, stones.white, i, first));
      }
    }
  };
  auto lowest = wanted;
  for_each([&](BestGroup& best, int first, auto black, auto white) HWY_ATTR {
    const auto of_empty = hn::Load(d, best.empty + first);
    const auto of_black = hn::IfThenElse(black, hn::Load(d, best.black + first), of_empty);
    const auto of_fact = hn::IfThenElse(white, hn::Load(d, best.white + first), of_black);
    lowest = hn::Min(lowest, of_fact);
  });
  if (hn::AllFalse(d, hn::Lt(lowest, wanted))) return false;  // mostly; then nothing is written
  for_each([&](BestGroup& best, int first, auto black, auto white) HWY_ATTR {
    const auto raise = [&](auto where, double* numbers) HWY_ATTR {
      const auto so_far = hn::Load(d, numbers);
      hn::Store(hn::IfThenElse(where, hn::Max(so_far, wanted), so_far), d, numbers);
    };
    raise(black, best.black + first);
    raise(white, best.white + first);
    raise(hn::Not(hn::Or(black, white)), best.empty + first);
  });
  return true;
}

#endif

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(multiply);
HWY_EXPORT(compare);
HWY_EXPORT(raise_all);

FactPasses fact_passes() {
  // Until Highway has chosen, the tables lead to functions that do so at every call.
  if (auto& target = hwy::GetChosenTarget(); !target.IsInitialized()) {
    target.Update(hwy::SupportedTargets());
  }
  return {HWY_DYNAMIC_DISPATCH(multiply), HWY_DYNAMIC_DISPATCH(compare),
          HWY_DYNAMIC_DISPATCH(raise_all)};
}

}  // namespace pitboss::engine
#endif
