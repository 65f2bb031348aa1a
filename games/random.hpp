#pragma once

#include <cstddef>
#include <cstdint>

namespace pitboss::games {

/// Mixes a 64-bit value into one whose bits look independent of it (the SplitMix64 finaliser).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

/// The project's random numbers: xoroshiro128+ (Blackman, Vigna 2018), 16 bytes, about a
/// nanosecond a draw. std::mt19937_64 would add 2.5 kB to every search, and the standard's
/// distributions differ between libraries, while a seed must mean the same game everywhere.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : a_(mix(seed)), b_(mix(a_)) {}

  constexpr std::uint64_t next() {
    const std::uint64_t sum = a_ + b_;
    const std::uint64_t x = a_ ^ b_;
    a_ = rotate(a_, 24) ^ x ^ (x << 16);
    b_ = rotate(x, 37);
    return sum;
  }
  /// Uniform in [0, n), n >= 1; the bias of the multiplication is below n / 2^32.
  constexpr int below(int n) {
    return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
  }
  /// Uniform in (0, 1).
  constexpr double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
  }
  std::uint64_t a_;
  std::uint64_t b_;
};

/// One of the list's elements, each as likely; the list must not be empty.
template <class List>
[[nodiscard]] constexpr const auto& random_element(const List& list, Random& random) {
  return list[static_cast<std::size_t>(random.below(static_cast<int>(list.size())))];
}

}  // namespace pitboss::games
