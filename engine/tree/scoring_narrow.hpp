#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <limits>

#include "engine/tree/all_rules-inl.hpp"
#include "engine/tree/scoring.hpp"

/// The passes of scoring.hpp for nodes with at most eight moves, inlined: for so few moves, calling
/// a pass that is chosen at run time costs more than better instructions save
/// (docs/performance.md). Compiled for the baseline instruction set; gives the same bits.
HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The moves with the highest score, one bit each; 0 if it is minus infinity. Writes all scores.
/// `base` begins the MoveTerms of eight moves.
template <class Rule>
HWY_INLINE std::uint32_t best_of_eight(const float* base, float* HWY_RESTRICT score,
                                       const RuleFactors& factors, NodeTerms node) {
  const hn::CappedTag<float, 8> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto shared = Rule::shared(factors, node);
  auto largest = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (int i = 0; i < 8; i += lanes) {
    const auto sum = Rule::scores(d, MoveTerms{base, 8}, i, shared);
    hn::Store(sum, d, score + i);
    largest = hn::Max(largest, sum);
  }
  const auto best = hn::MaxOfLanes(d, largest);
  if (hn::GetLane(best) == -std::numeric_limits<float>::infinity()) return 0;
  std::uint32_t found = 0;
  for (int i = 0; i < 8; i += lanes) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, hn::Eq(hn::Load(d, score + i), best), bits);
    found |= static_cast<std::uint32_t>(bits[0]) << i;
  }
  return found;
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
