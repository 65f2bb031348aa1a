#include "games/bitboard.hpp"

#include <doctest/doctest.h>

#include <set>

#include "games/random.hpp"

namespace pitboss::games {
namespace {

template <int Bits>
Bitboard<Bits> board_of(const std::set<int>& points) {
  Bitboard<Bits> board;
  for (const int p : points) board.add(p);
  return board;
}

template <int Bits>
std::set<int> random_points(Random& random) {
  std::set<int> points;
  for (int i = random.below(Bits); i > 0; --i) points.insert(random.below(Bits));
  return points;
}

template <int Bits>
void check_points(const std::set<int>& a) {
  const auto x = board_of<Bits>(a);
  int n = 0;
  for (const int p : a) {
    CHECK(x.has(p));
    CHECK(x.nth(n++) == p);
  }
  CHECK(x.count() == static_cast<int>(a.size()));
  CHECK(x.any() == !a.empty());
  CHECK(x.none() == a.empty());
  if (!a.empty()) CHECK(x.first() == *a.begin());
}

template <int Bits>
void check_for_each(const std::set<int>& a) {
  std::set<int> visited;
  board_of<Bits>(a).for_each([&](int p) { visited.insert(p); });
  CHECK(visited == a);
}

template <int Bits>
void check_operators(const std::set<int>& a, const std::set<int>& b) {
  std::set<int> both;
  std::set<int> either = b;
  std::set<int> rest;
  std::set<int> different = b;
  for (const int p : a) {
    either.insert(p);
    (b.contains(p) ? both : rest).insert(p);
    if (different.erase(p) == 0) different.insert(p);
  }
  const auto x = board_of<Bits>(a);
  const auto y = board_of<Bits>(b);
  CHECK((x & y) == board_of<Bits>(both));
  CHECK((x | y) == board_of<Bits>(either));
  CHECK((x ^ y) == board_of<Bits>(different));
  CHECK(minus(x, y) == board_of<Bits>(rest));
}

/// The capacities are whole words here, so what leaves the last word is lost.
template <int Bits>
void check_shifts(const std::set<int>& a) {
  const auto x = board_of<Bits>(a);
  for (const int shift : {0, 1, 5, 19, 63, -1, -20, -63}) {
    std::set<int> moved;
    for (const int p : a) {
      if (p + shift >= 0 && p + shift < Bits) moved.insert(p + shift);
    }
    CHECK(x.shifted(shift) == board_of<Bits>(moved));
  }
  for (const int from : {-63, -1, 0, 1, 37, Bits - 64, Bits - 1}) {
    std::uint64_t seen = 0;
    for (const int p : a) {
      if (from <= p && p < from + 64) seen |= std::uint64_t{1} << (p - from);
    }
    CHECK(x.window(from) == seen);
  }
  CHECK(x.template resized<512>().template resized<Bits>() == x);
  CHECK(x.template resized<64>().word(0) == x.word(0));
}

/// Every operation against the same one on a std::set.
template <int Bits>
void check_operations(std::uint64_t seed) {
  CAPTURE(Bits);
  CAPTURE(seed);
  Random random(seed);
  const auto a = random_points<Bits>(random);
  const auto b = random_points<Bits>(random);
  check_points<Bits>(a);
  check_for_each<Bits>(a);
  check_operators<Bits>(a, b);
  check_shifts<Bits>(a);
}

TEST_CASE("either() and swapped()") {
  CHECK(either(true, 5, 6) == 5);
  CHECK(either(false, 5, 6) == 6);
  const WordPair pair = swapped(WordPair{5, 6});
  CHECK(std::uint64_t{pair[0]} == 6);
  CHECK(std::uint64_t{pair[1]} == 5);
}

TEST_CASE("Bitboard") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    check_operations<64>(seed);
    check_operations<128>(seed);
    check_operations<384>(seed);
  }
}

}  // namespace
}  // namespace pitboss::games
