#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pitboss::games {

/// Two words side by side. Arithmetic and shifts act on both at once, in one register where the
/// machine has vector registers.
using WordPair [[gnu::vector_size(16)]] = std::uint64_t;

/// The same pair in the other order.
[[nodiscard]] inline WordPair swapped(WordPair pair) { return WordPair{pair[1], pair[0]}; }

/// `a` if `first`, else `b`. Without a branch, for conditions that the processor cannot predict,
/// such as the side to move at a leaf of a search.
[[nodiscard]] constexpr std::uint64_t either(bool first, std::uint64_t a, std::uint64_t b) {
  return b ^ ((a ^ b) & -std::uint64_t{first});
}

/// By byte: the places of its bits that are set, lowest first.
inline constexpr auto bit_places = [] {
  std::array<std::array<std::uint8_t, 8>, 256> places{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    int n = 0;
    for (std::uint8_t i = 0; i < 8; ++i) {
      if ((byte >> i) & 1U) places[byte][n++] = i;
    }
  }
  return places;
}();

/// The place of the bit of `word` that has exactly `n` others below it; 0 <= n < popcount(word).
/// Without a loop, whose length the processor could not predict for a random `n`: counts the bits
/// up to and including each byte, all bytes at once, then finds the first count above n.
[[nodiscard]] constexpr int nth_bit(std::uint64_t word, int n) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  std::uint64_t counts = word - ((word >> 1) & 0x5555555555555555U);
  counts = (counts & 0x3333333333333333U) + ((counts >> 2) & 0x3333333333333333U);
  counts = ((counts + (counts >> 4)) & 0x0f0f0f0f0f0f0f0fU) * ones;
  const std::uint64_t not_above =
      ((0x80U + static_cast<unsigned>(n)) * ones - counts) & 0x80 * ones;
  const int from = 8 * std::popcount(not_above);
  const std::uint64_t below = ((counts << 8) >> from) & 0xffU;
  return from + bit_places[(word >> from) & 0xffU][static_cast<unsigned>(n) - below];
}

/// A set of up to `Bits` points; point i is bit i. A plain value; the time of every operation
/// depends on the number of 64-bit words only. Points at or above `Bits` must not be named.
template <int Bits>
class Bitboard {
 public:
  static constexpr int bits = Bits;
  static constexpr int words = (Bits + 63) / 64;

  constexpr Bitboard() = default;
  /// The set whose points 0..63 are the bits of `low`.
  constexpr explicit Bitboard(std::uint64_t low) { word_[0] = low; }

  [[nodiscard]] static constexpr Bitboard point(int i) {
    Bitboard b;
    b.add(i);
    return b;
  }

  [[nodiscard]] constexpr std::uint64_t word(int i) const { return word_[i]; }
  [[nodiscard]] constexpr bool has(int i) const { return (word_[i / 64] >> (i % 64)) & 1U; }
  constexpr void add(int i) {
    change_at(i, [](std::uint64_t& word, std::uint64_t bit) { word |= bit; });
  }
  constexpr void remove(int i) {
    change_at(i, [](std::uint64_t& word, std::uint64_t bit) { word &= ~bit; });
  }

  [[nodiscard]] constexpr bool any() const {
    std::uint64_t all = 0;
    for (const auto w : word_) all |= w;
    return all != 0;
  }
  [[nodiscard]] constexpr bool none() const { return !any(); }
  [[nodiscard]] constexpr int count() const {
    int n = 0;
    for (const auto w : word_) n += std::popcount(w);
    return n;
  }
  /// The lowest point. The set must not be empty.
  [[nodiscard]] constexpr int first() const {
    for (int i = 0; i < words - 1; ++i) {
      if (word_[i] != 0) return i * 64 + std::countr_zero(word_[i]);
    }
    return (words - 1) * 64 + std::countr_zero(word_[words - 1]);
  }
  /// The point with exactly `n` points of the set below it; 0 <= n < count().
  [[nodiscard]] constexpr int nth(int n) const {
    int i = 0;
    for (; i + 1 < words; ++i) {
      const int here = std::popcount(word_[i]);
      if (n < here) break;
      n -= here;
    }
    return i * 64 + nth_bit(word_[i], n);
  }

  /// Calls `visit(point)` for every point, lowest first.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (int i = 0; i < words; ++i) {
      for (std::uint64_t w = word_[i]; w != 0; w &= w - 1) visit(i * 64 + std::countr_zero(w));
    }
  }

  friend constexpr bool operator==(const Bitboard&, const Bitboard&) = default;
  constexpr Bitboard& operator|=(const Bitboard& o) {
    for (int i = 0; i < words; ++i) word_[i] |= o.word_[i];
    return *this;
  }
  constexpr Bitboard& operator&=(const Bitboard& o) {
    for (int i = 0; i < words; ++i) word_[i] &= o.word_[i];
    return *this;
  }
  constexpr Bitboard& operator^=(const Bitboard& o) {
    for (int i = 0; i < words; ++i) word_[i] ^= o.word_[i];
    return *this;
  }
  friend constexpr Bitboard operator|(Bitboard a, const Bitboard& b) { return a |= b; }
  friend constexpr Bitboard operator&(Bitboard a, const Bitboard& b) { return a &= b; }
  friend constexpr Bitboard operator^(Bitboard a, const Bitboard& b) { return a ^= b; }
  /// The points of `a` that are not in `b`. (There is no operator~, since a set does not know which
  /// points its board has.)
  [[nodiscard]] friend constexpr Bitboard minus(Bitboard a, const Bitboard& b) {
    for (int i = 0; i < words; ++i) a.word_[i] &= ~b.word_[i];
    return a;
  }

  /// Every point i becomes i + n (n may be negative, |n| < 64); points that leave the board are
  /// lost.
  [[nodiscard]] constexpr Bitboard shifted(int n) const { return n >= 0 ? up(n) : down(-n); }

  /// Points `from` to `from` + 63 as the bits of a word, -64 < from < Bits; bits beyond the board
  /// are 0.
  [[nodiscard]] constexpr std::uint64_t window(int from) const {
    if (from < 0) return word_[0] << -from;
    const int i = from / 64;
    const std::uint64_t low = word_[i] >> (from % 64);
    return i + 1 < words ? low | word_[i + 1] << 1 << (63 - from % 64) : low;
  }

  /// The same points on a board of another capacity; those beyond it are lost.
  template <int Other>
  [[nodiscard]] constexpr Bitboard<Other> resized() const {
    Bitboard<Other> r;
    for (int i = 0; i < std::min(words, Bitboard<Other>::words); ++i) r.word_[i] = word_[i];
    return r;
  }

 private:
  [[nodiscard]] constexpr Bitboard up(int n) const {
    Bitboard r;
    for (int i = words - 1; i >= 0; --i) {
      r.word_[i] = word_[i] << n;
      if (i > 0 && n > 0) r.word_[i] |= word_[i - 1] >> (64 - n);
    }
    return r;
  }
  [[nodiscard]] constexpr Bitboard down(int n) const {
    Bitboard r;
    for (int i = 0; i < words; ++i) {
      r.word_[i] = word_[i] >> n;
      if (i + 1 < words && n > 0) r.word_[i] |= word_[i + 1] << (64 - n);
    }
    return r;
  }

  /// Has `change(word, bit)` change the words for point i. A pair of words is written as a whole:
  /// if one word were written alone, a load of both into one register would have to wait until the
  /// write has left the processor's store queue.
  template <class Change>
  constexpr void change_at(int i, Change&& change) {
    const auto place = static_cast<unsigned>(i);
    const std::uint64_t bit = std::uint64_t{1} << (place % 64);
    if constexpr (words == 2) {
      const std::uint64_t in_high = -std::uint64_t{place / 64};
      change(word_[0], bit & ~in_high);
      change(word_[1], bit & in_high);
    } else {
      change(word_[place / 64], bit);
    }
  }

  template <int Other>
  friend class Bitboard;

  std::array<std::uint64_t, words> word_{};
};

/// The points of all lines of `length` stones, for each of `steps` one such step apart. No line may
/// wrap round the board's edge.
template <int Bits, std::size_t N>
[[nodiscard]] constexpr Bitboard<Bits> points_in_line(const Bitboard<Bits>& stones, int length,
                                                      const std::array<int, N>& steps) {
  Bitboard<Bits> all;
  for (const int step : steps) {
    Bitboard<Bits> line = stones;
    for (int i = 1; i < length; ++i) line = line.shifted(step) & stones;
    for (int i = 0; i < length; ++i) {
      all |= line;
      line = line.shifted(-step);
    }
  }
  return all;
}

}  // namespace pitboss::games
