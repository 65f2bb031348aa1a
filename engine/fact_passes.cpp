#include "engine/fact_passes.hpp"

#include <cstring>

#include "engine/formulas.hpp"
#include "engine/instruction_set.hpp"

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

constexpr int no_kind = -1;

/// Calls `visit(group, point of the group, kind)` for every point; no_kind if it is empty.
template <int Kinds, class Group, class Visit>
HWY_INLINE void for_each_point(Group* groups, int n, const Pieces& pieces, Visit&& visit) {
  for (int p = 0; p < n * group_points; ++p) {
    int kind = no_kind;
    for (int k = 0; k < Kinds; ++k) {
      if ((pieces.of(k)[p / 64] >> p % 64) & 1U) kind = k;
    }
    visit(groups[p / group_points], p % group_points, kind);
  }
}

template <int Kinds>
HWY_INLINE std::uint32_t count(GroupCounts<Kinds>& seen, int p, int kind, std::uint32_t positions) {
  if (kind != no_kind) return seen[kind][p]++;
  for (int k = 0; k < Kinds; ++k) positions -= seen[k][p];
  return positions;
}

/// The product of sixteen numbers, in the order in which vectors take them.
HWY_INLINE double product(const double* x) {
  const auto two = [&](int i) { return x[i / 2 * 4 + i % 2] * x[i / 2 * 4 + i % 2 + 2]; };
  const auto four = [&](int i) { return two(i) * two(i + 4); };
  return (four(0) * four(2)) * (four(1) * four(3));
}

template <int Kinds>
double score(CountedGroup<Kinds>* groups, int n, Pieces pieces, std::uint32_t positions,
             double scale, double scale_next) {
  double before[group_points];
  double after[group_points];
  for (int p = 0; p < group_points; ++p) {
    before[p] = scale;
    after[p] = scale_next;
  }
  for_each_point<Kinds>(groups, n, pieces, [&](CountedGroup<Kinds>& group, int p, int kind) {
    const double bits = 0x1p52 + count<Kinds>(group.seen, p, kind, positions);
    const double of_fact = bits - group.bias[bias_slot(p)];
    before[p] *= of_fact;
    after[p] *= of_fact + 1;
  });
  return inverse_root_pseudocount(product(before), product(after));
}

template <int Kinds>
int compare(CountedGroup<Kinds>* groups, int n, Pieces pieces, std::uint32_t positions,
            std::uint32_t bound) {
  int below = 0;
  for_each_point<Kinds>(groups, n, pieces, [&](CountedGroup<Kinds>& group, int p, int kind) {
    below += count<Kinds>(group.seen, p, kind, positions) + 1 < bound ? 1 : 0;
  });
  return below;
}

template <int Kinds>
bool raise_all(BestGroup<Kinds>* groups, int n, Pieces pieces, double value) {
  bool raised = false;
  for_each_point<Kinds>(groups, n, pieces, [&](BestGroup<Kinds>& group, int p, int kind) {
    double& best = (kind == no_kind ? group.empty : group.piece[kind])[p];
    raised |= best < value;
    if (best < value) best = value;
  });
  return raised;
}

#else

// A group is a vector of counts on the largest machines, and several on others.
using Counts = hn::CappedTag<std::uint32_t, group_points>;
using Doubles = hn::RebindToFloat<hn::RepartitionToWide<Counts> >;

/// For each of the points from number `first` of a group on, as many as the vectors of `d` have
/// lanes, whether it is set.
template <class D>
HWY_INLINE auto points_set(D d, std::uint16_t points, int first) {
#if HWY_TARGET <= HWY_AVX3
  std::uint8_t bytes[sizeof(points)];
  std::memcpy(bytes, &points, sizeof(points));
  return hn::LoadMaskBits(d, bytes + first / 8);
#else
  const hn::RebindToUnsigned<D> lane;
  const hn::Repartition<std::uint16_t, D> word;
  using Lane = hn::TFromD<decltype(lane)>;
  const auto place = hn::Add(hn::Iota(lane, 0), hn::Set(lane, static_cast<Lane>(first)));
  const auto bit = hn::Shl(hn::Set(lane, Lane{1}), place);
  return hn::RebindMask(d, hn::TestBit(hn::BitCast(lane, hn::Set(word, points)), bit));
#endif
}

/// The points of a group with a piece of some kind.
HWY_INLINE std::uint16_t points_of(const Pieces& pieces, int kind, int group) {
  std::uint16_t points;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(pieces.of(kind));
  std::memcpy(&points, bytes + group * group_points / 8, sizeof(points));
  return points;
}
/// The boards of Pieces that have one word each, in registers: read as they were written, they need
/// not be waited for.
template <int Kinds>
struct SmallPieces {
  explicit SmallPieces(const Pieces& pieces) {
    for (int k = 0; k < Kinds; ++k) word[k] = pieces.of(k)[0];
  }
  std::uint64_t word[Kinds];
};
template <int Kinds>
HWY_INLINE std::uint16_t points_of(const SmallPieces<Kinds>& pieces, int kind, int group) {
  return static_cast<std::uint16_t>(pieces.word[kind] >> group * group_points);
}

/// Counts a position on a vector of points; returns how often its facts had been seen before.
template <int Kinds, class AnyPieces>
HWY_INLINE auto count(GroupCounts<Kinds>& counts, const AnyPieces& pieces, int group, int first,
                      std::uint32_t positions) {
  const Counts d;
  auto seen = hn::Set(d, positions);
  for (int k = 0; k < Kinds; ++k) seen = hn::Sub(seen, hn::Load(d, counts[k] + first));
  for (int k = 0; k < Kinds; ++k) {
    const auto of_kind = hn::Load(d, counts[k] + first);
    const auto here = points_set(d, points_of(pieces, k, group), first);
    seen = hn::IfThenElse(here, of_kind, seen);
    const auto next = hn::Add(of_kind, hn::Set(d, 1U));
    hn::Store(hn::IfThenElse(here, next, of_kind), d, counts[k] + first);
  }
  return seen;
}

using Two = hn::FixedTag<double, 2>;

HWY_INLINE double product_of(hn::Vec<Two> x) {
  return hn::GetLane(hn::Mul(x, hn::InterleaveUpper(Two(), x, x)));
}

/// Eight numbers, multiplied with each other in an order that does not depend on the machine.
class Eight {
 public:
#if HWY_TARGET <= HWY_AVX3
  // In one vector: nothing waits for a detour over the memory.
  HWY_INLINE void put(int, hn::Vec<Doubles> x) { all_ = x; }
  [[nodiscard]] HWY_INLINE double product() const {
    const hn::Half<Doubles> four;
    const auto y = hn::Mul(hn::LowerHalf(four, all_), hn::UpperHalf(four, all_));
    return product_of(hn::Mul(hn::LowerHalf(Two(), y), hn::UpperHalf(Two(), y)));
  }

 private:
  hn::Vec<Doubles> all_;
#else
  HWY_INLINE void put(int first, hn::Vec<Doubles> x) { hn::Store(x, Doubles(), all_ + first); }
  [[nodiscard]] HWY_INLINE double product() const {
    const auto at = [&](int i) HWY_ATTR { return hn::Load(Two(), all_ + i); };
    return product_of(hn::Mul(hn::Mul(at(0), at(4)), hn::Mul(at(2), at(6))));
  }

 private:
  alignas(64) double all_[8];
#endif
};

template <int Kinds, class AnyPieces>
HWY_INLINE double score_of(CountedGroup<Kinds>* groups, int n, const AnyPieces& pieces,
                           std::uint32_t positions, double scale, double scale_next) {
  const Counts d;
  const Doubles doubles;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = hn::Set(doubles, 1.0);
  const auto two_52 = hn::Set(d, 0x43300000U);  // above the bits of k: those of 2^52 + k
  Eight before;
  Eight after;
  for (int first = 0; first < group_points; first += lanes) {
    auto lower = hn::Set(doubles, scale);
    auto upper = lower;
    auto lower_next = hn::Set(doubles, scale_next);
    auto upper_next = lower_next;
    for (int i = 0; i < n; ++i) {
      const auto seen = count<Kinds>(groups[i].seen, pieces, i, first, positions);
      const double* bias = groups[i].bias + first / 2;
      const auto lower_bits = hn::BitCast(doubles, hn::InterleaveLower(d, seen, two_52));
      const auto upper_bits = hn::BitCast(doubles, hn::InterleaveUpper(d, seen, two_52));
      const auto lower_count = hn::Sub(lower_bits, hn::Load(doubles, bias));
      const auto upper_count = hn::Sub(upper_bits, hn::Load(doubles, bias + group_points / 2));
      lower = hn::Mul(lower, lower_count);
      upper = hn::Mul(upper, upper_count);
      lower_next = hn::Mul(lower_next, hn::Add(lower_count, one));
      upper_next = hn::Mul(upper_next, hn::Add(upper_count, one));
    }
    before.put(first / 2, hn::Mul(lower, upper));
    after.put(first / 2, hn::Mul(lower_next, upper_next));
  }
  return inverse_root_pseudocount(before.product(), after.product());
}

/// Boards of one full word, of which there are many, need no loop.
template <int Kinds>
double score(CountedGroup<Kinds>* groups, int n, Pieces pieces, std::uint32_t positions,
             double scale, double scale_next) {
  constexpr int groups_of_word = 64 / group_points;
  if (n != groups_of_word || pieces.words_of_kind != 1) {
    return score_of<Kinds>(groups, n, pieces, positions, scale, scale_next);
  }
  const SmallPieces<Kinds> small(pieces);
  return score_of<Kinds>(groups, groups_of_word, small, positions, scale, scale_next);
}

template <int Kinds>
int compare(CountedGroup<Kinds>* groups, int n, Pieces pieces, std::uint32_t positions,
            std::uint32_t bound) {
  const Counts d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  std::size_t below = 0;
  for (int first = 0; first < group_points; first += lanes) {
    for (int i = 0; i < n; ++i) {
      const auto seen = count<Kinds>(groups[i].seen, pieces, i, first, positions);
      below += hn::CountTrue(d, hn::Lt(hn::Add(seen, hn::Set(d, 1U)), hn::Set(d, bound)));
    }
  }
  return static_cast<int>(below);
}

template <int Kinds>
bool raise_all(BestGroup<Kinds>* groups, int n, Pieces pieces, double value) {
  const Doubles d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto wanted = hn::Set(d, value);
  const auto best_of_facts = [&](int group, int first) HWY_ATTR {
    auto best = hn::Load(d, groups[group].empty + first);
    for (int k = 0; k < Kinds; ++k) {
      const auto of_kind = hn::Load(d, groups[group].piece[k] + first);
      best = hn::IfThenElse(points_set(d, points_of(pieces, k, group), first), of_kind, best);
    }
    return best;
  };
  // Two minima, as each waits for the one before.
  auto lowest = wanted;
  auto lowest_too = wanted;
  for (int i = 0; i < n; ++i) {
    for (int first = 0; first < group_points; first += 2 * lanes) {
      lowest = hn::Min(lowest, best_of_facts(i, first));
      lowest_too = hn::Min(lowest_too, best_of_facts(i, first + lanes));
    }
  }
  lowest = hn::Min(lowest, lowest_too);
  if (hn::AllFalse(d, hn::Lt(lowest, wanted))) return false;  // mostly; then nothing is written
  const auto raise = [&](auto where, double* numbers) HWY_ATTR {
    const auto so_far = hn::Load(d, numbers);
    hn::Store(hn::IfThenElse(where, hn::Max(so_far, wanted), so_far), d, numbers);
  };
  for (int i = 0; i < n; ++i) {
    for (int first = 0; first < group_points; first += lanes) {
      auto occupied = points_set(d, points_of(pieces, 0, i), first);
      raise(occupied, groups[i].piece[0] + first);
      for (int k = 1; k < Kinds; ++k) {
        const auto here = points_set(d, points_of(pieces, k, i), first);
        raise(here, groups[i].piece[k] + first);
        occupied = hn::Or(occupied, here);
      }
      raise(hn::Not(occupied), groups[i].empty + first);
    }
  }
  return true;
}

#endif

template <int Kinds>
FactPasses<Kinds> passes() {
  return {&score<Kinds>, &compare<Kinds>, &raise_all<Kinds>};
}

AllFactPasses all_passes() { return {passes<2>(), passes<3>(), passes<4>()}; }

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(all_passes);

AllFactPasses all_fact_passes() {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(all_passes)();
}

}  // namespace pitboss::engine
#endif
