#include "engine/tree/scoring.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "engine/instruction_set.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/tree/scoring.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "engine/tree/all_rules-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 8>;  // arrays are padded to 8

/// The places of `best` among up to 64 scores, one bit each.
HWY_INLINE std::uint64_t places_of(float best, const float* score, int n) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto wanted = hn::Set(d, best);
  std::uint64_t places = 0;
  for (int i = 0; i < n; i += lanes) {
    std::uint8_t bits[8];
    hn::StoreMaskBits(d, hn::Eq(hn::Load(d, score + i), wanted), bits);
    const std::uint64_t here = bits[0] & ((1U << lanes) - 1);
    places |= here << i;
  }
  return places;
}

/// The first place of `best` at or after `from`, else the first of all. Up to 64 moves need no
/// branch on the place, which a processor could not predict.
int first_from(const float* score, int n, float best, int from) {
  constexpr int word = 64;
  const auto look = [&](int begin, int skipped) HWY_ATTR {
    const std::uint64_t places = places_of(best, score + begin, std::min(word, n - begin));
    return places >> skipped << skipped;
  };
  if (n <= word) {
    const std::uint64_t onward = std::rotr(look(0, 0), from);
    return (std::countr_zero(onward) + from) % word;
  }
  const int first = from / word * word;
  if (const auto ahead = look(first, from % word)) return first + std::countr_zero(ahead);
  for (int begin = first + word; begin < n; begin += word) {
    if (const auto places = look(begin, 0)) return begin + std::countr_zero(places);
  }
  for (int begin = 0;; begin += word) {
    if (const auto places = look(begin, 0)) return begin + std::countr_zero(places);
  }
}

constexpr float none = -std::numeric_limits<float>::infinity();

/// first_from for the largest of all lanes; -1 if that is minus infinity.
HWY_INLINE int first_of_largest(hn::Vec<Floats> largest, const float* score, int n, int from) {
  const float best = hn::GetLane(hn::MaxOfLanes(Floats(), largest));
  return best == none ? -1 : first_from(score, n, best, from);
}

template <class Rule>
int choose_by(MoveTerms moves, float* HWY_RESTRICT score, const RuleFactors& factors,
              NodeTerms node, int from) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto shared = Rule::shared(factors, node);
  auto largest = hn::Set(d, none);
  for (int i = 0; i < moves.padded; i += lanes) {
    const auto scores = Rule::scores(d, moves, i, shared);
    hn::Store(scores, d, score + i);
    largest = hn::Max(largest, scores);
  }
  return first_of_largest(largest, score, moves.padded, from);
}

ChooseMove chooser(Selection rule) {
  return AllRules::with(rule, []<class Rule>() -> ChooseMove { return &choose_by<Rule>; });
}

int best_of(const float* score, int padded, int from) {
  const Floats d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  auto largest = hn::Set(d, none);
  for (int i = 0; i < padded; i += lanes) largest = hn::Max(largest, hn::Load(d, score + i));
  return first_of_largest(largest, score, padded, from);
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(chooser);
HWY_EXPORT(best_of);

RuleFactors::RuleFactors(const Options& options)
    : k(static_cast<float>(options.k)),
      c_puct(static_cast<float>(options.c_puct)),
      fpu_reduction(static_cast<float>(options.fpu_reduction)) {
  // The variance of rewards between a and b is at most (b - a)^2 / 4.
  const auto range = static_cast<float>(1 + 2 * reward_excess(options));
  most_variance = range * range / 4;
}

std::span<const SelectionRow> selection_rows() { return HWY_NAMESPACE::AllRules::rows; }

ChooseMove choose_move_by(Selection rule) {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(chooser)(rule);
}

BestOf best_of_scores() {
  choose_instruction_set();
  return &HWY_DYNAMIC_DISPATCH(best_of);
}

}  // namespace pitboss::engine
#endif
