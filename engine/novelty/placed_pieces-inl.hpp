// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_PLACED_PIECES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_PLACED_PIECES_INL
#undef PITBOSS_ENGINE_PLACED_PIECES_INL
#else
#define PITBOSS_ENGINE_PLACED_PIECES_INL
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "engine/novelty/fact_passes.hpp"

/// Readers of a position's pieces by the groups of a layout. `of(kind, group)` are the places of a
/// group with a piece of that kind, one bit each.
HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

constexpr int word_bits = 64;

/// The bits of `word` at the ones of `mask`, moved together to the lowest places.
HWY_INLINE std::uint64_t moved_together(std::uint64_t word, std::uint64_t mask) {
#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2
  return _pext_u64(word, mask);
#else
  std::uint64_t together = 0;
  for (int n = 0; mask != 0;) {  // a run of ones at a time
    const int from = std::countr_zero(mask);
    const int length = std::countr_one(mask >> from);
    const std::uint64_t ones = ~std::uint64_t{0} >> (word_bits - length);
    together |= ((word >> from) & ones) << n;
    mask &= ~(ones << from);
    n += length;
  }
  return together;
#endif
}

/// The places of a group, read from a bitboard of places.
HWY_INLINE std::uint16_t places_at(const std::uint64_t* words, int group) {
  std::uint16_t places;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(words);
  std::memcpy(&places, bytes + group * group_points / 8, sizeof(places));
  return places;
}

/// For boards that are not packed: reads the words unchanged.
template <int Kinds>
class WordsOfPieces {
 public:
  HWY_INLINE WordsOfPieces(const GroupLayout& layout, const std::uint64_t* pieces)
      : words_(pieces), words_of_kind_(layout.words) {}
  [[nodiscard]] HWY_INLINE std::uint16_t of(int kind, int group) const {
    return places_at(words_ + kind * words_of_kind_, group);
  }

 private:
  const std::uint64_t* words_;
  int words_of_kind_;
};

/// For packed boards: first moves the points of each kind together.
template <int Kinds>
class PackedWordsOfPieces {
 public:
  HWY_INLINE PackedWordsOfPieces(const GroupLayout& layout, const std::uint64_t* pieces) {
    std::uint64_t word[Kinds] = {};
    int n = 0;  // the bits used in it
    int out = 0;
    for (int i = 0; i < layout.words; ++i) {
      const std::uint64_t points = layout.points[i];
      std::uint64_t together[Kinds];
      for (int k = 0; k < Kinds; ++k) {
        together[k] = moved_together(pieces[k * layout.words + i], points);
        word[k] |= together[k] << n;
      }
      n += std::popcount(points);
      if (n < word_bits) continue;  // predictable: the same in every position
      n -= word_bits;
      for (int k = 0; k < Kinds; ++k) {
        words_[k][out] = word[k];
        word[k] = n == 0 ? 0 : together[k] >> (std::popcount(points) - n);
      }
      ++out;
    }
    for (int k = 0; k < Kinds; ++k) words_[k][out] = word[k];
  }
  [[nodiscard]] HWY_INLINE std::uint16_t of(int kind, int group) const {
    return places_at(words_[kind], group);
  }

 private:
  std::uint64_t words_[Kinds][GroupLayout::max_words + 1];
};

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
