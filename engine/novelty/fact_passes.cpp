#include "engine/novelty/fact_passes.hpp"

#include "engine/formulas.hpp"
#include "engine/instruction_set.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/novelty/fact_passes.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "engine/novelty/fact_vectors-inl.hpp"
#include "engine/novelty/placed_pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

/// Counts in a vector: a group is one vector on machines with 64 bytes, else several.
constexpr int widest = static_cast<int>(hn::MaxLanes(hn::CappedTag<std::uint32_t, group_points>()));

#if HWY_TARGET == HWY_SCALAR
// No vectors: the same passes, point by point.

constexpr int no_kind = -1;

/// Calls `visit(group, point of the group, kind)` for every point; no_kind for an empty one.
template <int Kinds, class Group, class AnyPieces, class Visit>
HWY_INLINE void for_each_point(Group* groups, int n, const AnyPieces& pieces, Visit&& visit) {
  for (int p = 0; p < n * group_points; ++p) {
    int kind = no_kind;
    for (int k = 0; k < Kinds; ++k) {
      if ((pieces.of(k, p / group_points) >> p % group_points) & 1U) kind = k;
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

/// The product of sixteen numbers, in the order of the vector code.
HWY_INLINE double product(const double* x) {
  const auto two = [&](int i) { return x[i / 2 * 4 + i % 2] * x[i / 2 * 4 + i % 2 + 2]; };
  const auto four = [&](int i) { return two(i) * two(i + 4); };
  return (four(0) * four(2)) * (four(1) * four(3));
}

template <int, int Kinds, class AnyPieces>
double score_of(CountedGroup<Kinds>* groups, int n, const AnyPieces& pieces,
                std::uint32_t positions, double scale, double scale_next) {
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

template <int, int Kinds, class AnyPieces>
int compare_of(CountedGroup<Kinds>* groups, int n, const AnyPieces& pieces, std::uint32_t positions,
               std::uint32_t bound) {
  int below = 0;
  for_each_point<Kinds>(groups, n, pieces, [&](CountedGroup<Kinds>& group, int p, int kind) {
    below += count<Kinds>(group.seen, p, kind, positions) + 1 < bound ? 1 : 0;
  });
  return below;
}

template <int, int Kinds, class AnyPieces>
bool raise_of(BestGroup<Kinds>* groups, int n, const AnyPieces& pieces, float value) {
  bool raised = false;
  for_each_point<Kinds>(groups, n, pieces, [&](BestGroup<Kinds>& group, int p, int kind) {
    float& best = (kind == no_kind ? group.empty : group.piece[kind])[p];
    raised |= best < value;
    if (best < value) best = value;
  });
  return raised;
}

#else

/// Counts a position's facts on a vector of points; returns the facts' counts before that.
template <int Lanes, int Kinds, class AnyPieces>
HWY_INLINE auto count(GroupCounts<Kinds>& counts, const AnyPieces& pieces, int group, int first,
                      std::uint32_t positions) {
  const Counts<Lanes> d;
  auto seen = hn::Set(d, positions);
  for (int k = 0; k < Kinds; ++k) seen = hn::Sub(seen, hn::Load(d, counts[k] + first));
  for (int k = 0; k < Kinds; ++k) {
    const auto of_kind = hn::Load(d, counts[k] + first);
    const auto here = points_set(d, pieces.of(k, group), first);
    seen = hn::IfThenElse(here, of_kind, seen);
    hn::Store(one_more_where(d, here, of_kind), d, counts[k] + first);
  }
  return seen;
}

template <int Lanes, int Kinds, class AnyPieces>
HWY_INLINE double score_of(CountedGroup<Kinds>* groups, int n, const AnyPieces& pieces,
                           std::uint32_t positions, double scale, double scale_next) {
  const Counts<Lanes> d;
  const Doubles<Lanes> doubles;
  using V = hn::Vec<Doubles<Lanes>>;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto one = hn::Set(doubles, 1.0);
  const auto two_52 = hn::Set(d, 0x43300000U);  // upper half of 2^52 + k
  // Multiplies running products by the counts of a vector of points, before and after this
  // position.
  const auto take = [&](int i, int first, V& lower, V& upper, V& lower_next,
                        V& upper_next) HWY_ATTR {
    const auto seen = count<Lanes, Kinds>(groups[i].seen, pieces, i, first, positions);
    const double* bias = groups[i].bias + first / 2;
    const auto lower_bits = hn::BitCast(doubles, hn::InterleaveLower(d, seen, two_52));
    const auto upper_bits = hn::BitCast(doubles, hn::InterleaveUpper(d, seen, two_52));
    const auto lower_count = hn::Sub(lower_bits, hn::Load(doubles, bias));
    const auto upper_count = hn::Sub(upper_bits, hn::Load(doubles, bias + group_points / 2));
    lower = hn::Mul(lower, lower_count);
    upper = hn::Mul(upper, upper_count);
    lower_next = times_next(lower_next, lower_count, one);
    upper_next = times_next(upper_next, upper_count, one);
  };
  alignas(64) double before[group_points / 2];
  alignas(64) double after[group_points / 2];
  // Two vectors of points side by side, if a group has more than one.
  constexpr bool by_twos = Lanes < group_points;
  for (int first = 0; first < group_points; first += by_twos ? 2 * lanes : lanes) {
    const auto begin = hn::Set(doubles, scale);
    const auto begin_next = hn::Set(doubles, scale_next);
    auto lower = begin;
    auto upper = begin;
    auto lower_next = begin_next;
    auto upper_next = begin_next;
    auto lower_2 = begin;
    auto upper_2 = begin;
    auto lower_next_2 = begin_next;
    auto upper_next_2 = begin_next;
    for (int i = 0; i < n; ++i) {
      take(i, first, lower, upper, lower_next, upper_next);
      if constexpr (by_twos) {
        take(i, first + lanes, lower_2, upper_2, lower_next_2, upper_next_2);
      }
    }
    hn::Store(hn::Mul(lower, upper), doubles, before + first / 2);
    hn::Store(hn::Mul(lower_next, upper_next), doubles, after + first / 2);
    if constexpr (by_twos) {
      hn::Store(hn::Mul(lower_2, upper_2), doubles, before + (first + lanes) / 2);
      hn::Store(hn::Mul(lower_next_2, upper_next_2), doubles, after + (first + lanes) / 2);
    }
  }
  return inverse_root_pseudocount(product_of_eight(before), product_of_eight(after));
}

template <int Lanes, int Kinds, class AnyPieces>
HWY_INLINE int compare_of(CountedGroup<Kinds>* groups, int n, const AnyPieces& pieces,
                          std::uint32_t positions, std::uint32_t bound) {
  const Counts<Lanes> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  // Compares seen + 1 < bound without unsigned comparisons. Wrong for bounds 0 and 1, below which
  // no count lies: the last line returns 0 for them.
  const auto most = hn::Set(d, bound - 2);
  auto below = hn::Zero(d);
  for (int i = 0; i < n; ++i) {
    for (int first = 0; first < group_points; first += lanes) {
      const auto seen = count<Lanes, Kinds>(groups[i].seen, pieces, i, first, positions);
      below = one_more_where(d, hn::Eq(hn::Min(seen, most), seen), below);
    }
  }
  return bound < 2 ? 0 : static_cast<int>(hn::GetLane(hn::SumOfLanes(d, below)));
}

template <int Lanes, int Kinds, class AnyPieces>
HWY_INLINE bool raise_of(BestGroup<Kinds>* groups, int n, const AnyPieces& pieces, float value) {
  const hn::RebindToFloat<Counts<Lanes>> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto wanted = hn::Set(d, value);
  auto below = hn::Lt(wanted, wanted);  // nowhere
  for (int i = 0; i < n; ++i) {
    for (int first = 0; first < group_points; first += lanes) {
      auto best = hn::Load(d, groups[i].empty + first);
      for (int k = 0; k < Kinds; ++k) {
        const auto of_kind = hn::Load(d, groups[i].piece[k] + first);
        best = hn::IfThenElse(points_set(d, pieces.of(k, i), first), of_kind, best);
      }
      below = hn::Or(below, hn::Lt(best, wanted));
    }
  }
  if (hn::AllFalse(d, below)) return false;  // mostly true; then nothing is written
  const auto raise = [&](auto where, float* numbers) HWY_ATTR {
    const auto so_far = hn::Load(d, numbers);
    hn::Store(hn::IfThenElse(where, hn::Max(so_far, wanted), so_far), d, numbers);
  };
  for (int i = 0; i < n; ++i) {
    for (int first = 0; first < group_points; first += lanes) {
      auto occupied = points_set(d, pieces.of(0, i), first);
      raise(occupied, groups[i].piece[0] + first);
      for (int k = 1; k < Kinds; ++k) {
        const auto here = points_set(d, pieces.of(k, i), first);
        raise(here, groups[i].piece[k] + first);
        occupied = hn::Or(occupied, here);
      }
      raise(hn::Not(occupied), groups[i].empty + first);
    }
  }
  return true;
}

#endif

/// The passes that read the pieces through `Places`.
template <int Lanes, int Kinds, class Places>
struct Passes {
  static double score(CountedGroup<Kinds>* groups, const GroupLayout& layout,
                      const std::uint64_t* pieces, std::uint32_t positions, double scale,
                      double scale_next) {
    return score_of<Lanes, Kinds>(groups, layout.groups, Places(layout, pieces), positions, scale,
                                  scale_next);
  }
  static int compare(CountedGroup<Kinds>* groups, const GroupLayout& layout,
                     const std::uint64_t* pieces, std::uint32_t positions, std::uint32_t bound) {
    return compare_of<Lanes, Kinds>(groups, layout.groups, Places(layout, pieces), positions,
                                    bound);
  }
  static bool raise(BestGroup<Kinds>* groups, const GroupLayout& layout,
                    const std::uint64_t* pieces, float value) {
    return raise_of<Lanes, Kinds>(groups, layout.groups, Places(layout, pieces), value);
  }
  [[nodiscard]] static FactPasses<Kinds> all() { return {&score, &compare, &raise}; }
};

template <int Lanes, int Kinds>
FactPasses<Kinds> passes(const GroupLayout& layout) {
  if (layout.is_packed) return Passes<Lanes, Kinds, PackedWordsOfPieces<Kinds>>::all();
  return Passes<Lanes, Kinds, WordsOfPieces<Kinds>>::all();
}

template <int Lanes>
AllFactPasses passes_with(const GroupLayout& layout) {
  return {passes<Lanes, 2>(layout), passes<Lanes, 3>(layout), passes<Lanes, 4>(layout)};
}

AllFactPasses all_passes(const GroupLayout& layout, bool halved) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if (halved) return passes_with<widest / 2>(layout);
#else
  static_cast<void>(halved);
#endif
  return passes_with<widest>(layout);
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(all_passes);

AllFactPasses all_fact_passes(const GroupLayout& layout, bool halved) {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(all_passes)(layout, halved);
}

}  // namespace pitboss::engine
#endif
