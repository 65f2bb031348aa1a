#include <array>
#include <cstring>
#include <type_traits>

#include "engine/instruction_set.hpp"
#include "engine/policy/features/feature_plan.hpp"
#include "games/bitboard.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/policy/features/feature_passes.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Part = FeaturePlan::Part;

/// The words of a set of points: in pairs if their number is even.
template <int Words>
struct WordsOf {
  using Unit = std::conditional_t<Words % 2 == 0, games::WordPair, std::uint64_t>;
  static constexpr int units = Words % 2 == 0 ? Words / 2 : Words;
  std::array<Unit, units> unit{};

  HWY_INLINE static WordsOf at(const std::uint64_t* words) {
    WordsOf result;
    std::memcpy(result.unit.data(), words, sizeof result.unit);
    return result;
  }
  HWY_INLINE void operator&=(const WordsOf& other) {
    for (int i = 0; i < units; ++i) unit[i] &= other.unit[i];
  }
  HWY_INLINE void operator|=(const WordsOf& other) {
    for (int i = 0; i < units; ++i) unit[i] |= other.unit[i];
  }
};

/// The positions of the passes in a part's lists.
struct Place {
  const std::uint64_t* anchors;
  const std::uint16_t* tests;
};

/// Adds the points of `instances` instances with `Tests` tests each.
template <int Words, int Tests>
HWY_INLINE void unite(std::uint32_t instances, const std::uint64_t* shifted, Place& place,
                      WordsOf<Words>& active) {
  for (std::uint32_t i = 0; i < instances; ++i) {
    auto here = WordsOf<Words>::at(place.anchors);
    for (int t = 0; t < Tests; ++t) {
      here &= WordsOf<Words>::at(shifted + place.tests[t] * Words);
    }
    active |= here;
    place.anchors += Words;
    place.tests += Tests;
  }
}
template <int Words>
HWY_INLINE void unite(const FeaturePlan::Run& run, const std::uint64_t* shifted, Place& place,
                      WordsOf<Words>& active) {
  switch (run.tests) {
    case 0:
      return unite<Words, 0>(run.instances, shifted, place, active);
    case 1:
      return unite<Words, 1>(run.instances, shifted, place, active);
    case 2:
      return unite<Words, 2>(run.instances, shifted, place, active);
    case 3:
      return unite<Words, 3>(run.instances, shifted, place, active);
    case 4:
      return unite<Words, 4>(run.instances, shifted, place, active);
    default:
      break;
  }
  for (std::uint32_t i = 0; i < run.instances; ++i) {
    auto here = WordsOf<Words>::at(place.anchors);
    for (std::uint32_t t = 0; t < run.tests; ++t) {
      here &= WordsOf<Words>::at(shifted + place.tests[t] * Words);
    }
    active |= here;
    place.anchors += Words;
    place.tests += run.tests;
  }
}

/// Calls `visit(number of the entry, points where it is active)` for each entry of a part.
template <int Words, class Visit>
HWY_INLINE void for_each_entry(const Part& part, const std::uint64_t* shifted, Visit&& visit) {
  const FeaturePlan::Run* run = part.runs.data();
  Place place{part.anchors.data(), part.tests.data()};
  for (std::size_t e = 0; e < part.entries.size(); ++e) {
    WordsOf<Words> united;
    for (std::uint32_t r = 0; r < part.entries[e].runs; ++r, ++run) {
      unite<Words>(*run, shifted, place, united);
    }
    std::array<std::uint64_t, Words> active;
    std::memcpy(active.data(), united.unit.data(), sizeof active);
    visit(e, active);
  }
}

/// Adds `weight` to the sums of the points of a word.
HWY_INLINE void add_where(std::uint64_t points, float weight, float* sums) {
  const hn::CappedTag<float, 64> d;
  const auto added = hn::Set(d, weight);
  const auto lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < 64; i += lanes) {
    const std::uint64_t bits = points >> i;
    std::array<std::uint8_t, 8> bytes;
    std::memcpy(bytes.data(), &bits, sizeof bits);
    const auto here = hn::LoadMaskBits(d, bytes.data());
    const auto sum = hn::Load(d, sums + i);
    hn::Store(hn::Add(sum, hn::IfThenElseZero(here, added)), d, sums + i);
  }
}

template <int Words>
void sum_of(const Part& part, const float* weights, const std::uint64_t* shifted, float* sums) {
  alignas(64) std::array<float, 64 * Words> all{};
  for_each_entry<Words>(
      part, shifted, [&](std::size_t e, const std::array<std::uint64_t, Words>& active) HWY_ATTR {
        for (int w = 0; w < Words; ++w) {
          add_where(active[w], weights[e], all.data() + 64 * w);
        }
      });
  std::memcpy(sums, all.data(), sizeof all);
}

using Sum = void (*)(const Part&, const float*, const std::uint64_t*, float*);
Sum sum_with(int words) {
  constexpr std::array<Sum, most_board_words> sums{sum_of<1>, sum_of<2>, sum_of<3>,
                                                   sum_of<4>, sum_of<5>, sum_of<6>};
  return sums[words - 1];
}

template <int Words>
void match(const Part& part, const std::uint64_t* shifted, std::uint64_t* active) {
  for_each_entry<Words>(part, shifted,
                        [&](std::size_t e, const std::array<std::uint64_t, Words>& here) HWY_ATTR {
                          std::memcpy(active + e * Words, here.data(), sizeof here);
                        });
}
using Match = void (*)(const Part&, const std::uint64_t*, std::uint64_t*);
Match match_with(int words) {
  constexpr std::array<Match, most_board_words> all{match<1>, match<2>, match<3>,
                                                    match<4>, match<5>, match<6>};
  return all[words - 1];
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(sum_with);
HWY_EXPORT(match_with);

void shift_planes(const FeaturePlan& plan, std::span<const std::uint64_t> pieces, int mover,
                  std::vector<std::uint64_t>& planes, std::vector<std::uint64_t>& shifted) {
  const auto words = static_cast<std::size_t>(plan.words);
  // Each plane has so many empty words on either side that no shift leaves them.
  const std::size_t room = 3 * words + 1;
  planes.assign(room * static_cast<std::size_t>(plan.planes()), 0);
  const auto plane = [&](int number) {
    return planes.data() + room * static_cast<std::size_t>(number) + words;
  };
  const int half = fixed_planes + plan.kinds;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t men = 0;
    std::uint64_t any = 0;
    for (int kind = 0; kind < plan.kinds; ++kind) {
      const std::uint64_t here = pieces[words * static_cast<std::size_t>(kind) + w];
      plane(fixed_planes + kind)[w] = here;
      any |= here;
      if (kind < plan.men) men |= here;
    }
    plane(0)[w] = plan.points[w] & ~any;
    plane(1)[w] = pieces[words * static_cast<std::size_t>(mover) + w];
    plane(2)[w] = men & ~plane(1)[w];
    for (int i = 0; i < half; ++i) plane(half + i)[w] = ~plane(i)[w];
  }
  shifted.resize(words * plan.shifts.size());
  std::uint64_t* out = shifted.data();
  for (const FeaturePlan::Shift& shift : plan.shifts) {
    const std::uint64_t* from = plane(shift.plane) + (shift.distance >> 6);
    const int bits = shift.distance & 63;
    for (std::size_t w = 0; w < words; ++w) {
      *out++ = from[w] >> bits | from[w + 1] << 1 << (63 - bits);
    }
  }
}

void match_part(const FeaturePlan& plan, const FeaturePlan::Part& part,
                std::span<const std::uint64_t> shifted, std::vector<std::uint64_t>& active) {
  choose_instruction_set();
  active.resize(part.entries.size() * static_cast<std::size_t>(plan.words));
  HWY_DYNAMIC_DISPATCH(match_with)(plan.words)(part, shifted.data(), active.data());
}

void sum_part(const FeaturePlan& plan, const FeaturePlan::Part& part, int column,
              std::span<const std::uint64_t> shifted, std::vector<float>& sums) {
  choose_instruction_set();
  sums.resize(64 * static_cast<std::size_t>(plan.words));
  const float* const weights = part.weights[static_cast<std::size_t>(column)].data();
  HWY_DYNAMIC_DISPATCH(sum_with)(plan.words)(part, weights, shifted.data(), sums.data());
}

}  // namespace pitboss::engine
#endif
