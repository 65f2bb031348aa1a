#include "engine/fact_passes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "engine/fact_table.hpp"
#include "games/random.hpp"
#include "tests/engine/instruction_sets.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

/// Every answer of the passes about random positions on a board with these points.
template <int Bits>
std::vector<std::uint64_t> answers(const games::Bitboard<Bits>& points, bool halved) {
  constexpr int kinds = 2;
  constexpr int words = games::Bitboard<Bits>::words;
  const GroupLayout layout = layout_of(points);
  const auto passes = std::get<FactPasses<kinds>>(all_fact_passes(layout, halved));
  std::vector<CountedGroup<kinds>> counted(layout.groups);
  std::vector<CountedGroup<kinds>> compared(layout.groups);
  std::vector<BestGroup<kinds>> best(layout.groups);
  for (auto& group : counted) std::ranges::fill(group.bias, bias_of_no_point);
  for_each_place(layout, points,
                 [&](int group, int p) { counted[group].bias[bias_slot(p)] = bias_of_point; });

  games::Random random{3};
  std::vector<std::uint64_t> all;
  for (std::uint32_t n = 0; n < 100; ++n) {
    std::uint64_t pieces[kinds * words] = {};
    points.for_each([&](int p) {
      const int kind = random.below(4);  // two of them are empty points
      if (kind < kinds) pieces[kind * words + p / 64] |= std::uint64_t{1} << p % 64;
    });
    const double scale = 1.0 / (n + 1);
    const double value = random.below(1000) / 1000.0;
    all.push_back(std::bit_cast<std::uint64_t>(
        passes.count_and_score(counted.data(), layout, pieces, n, scale, scale / 2)));
    all.push_back(passes.count_and_compare(compared.data(), layout, pieces, n, n / 3));
    all.push_back(passes.raise(best.data(), layout, pieces, value) ? 1 : 0);
  }
  return all;
}

/// Boards with gaps between their points, and without.
template <int Bits>
games::Bitboard<Bits> every_third_point_missing(int count) {
  games::Bitboard<Bits> points;
  for (int p = 0; p < count; ++p) {
    if (p % 3 != 1) points.add(p);
  }
  return points;
}
template <int Bits>
games::Bitboard<Bits> first_points(int count) {
  games::Bitboard<Bits> points;
  for (int p = 0; p < count; ++p) points.add(p);
  return points;
}

}  // namespace

TEST_CASE("fact passes: the same bits with every instruction set and width of vectors") {
  const auto check = [](const auto& points) {
    const auto expected = answers(points, false);
    for (std::size_t pass = 0; pass < 3; ++pass) {  // each says something
      std::set<std::uint64_t> different;
      for (std::size_t i = pass; i < expected.size(); i += 3) different.insert(expected[i]);
      CHECK(different.size() > 1);
    }
    tests::with_each_instruction_set([&] {
      for (const bool halved : {false, true}) CHECK(answers(points, halved) == expected);
    });
  };
  check(first_points<64>(20));
  check(first_points<64>(47));
  check(first_points<64>(64));
  check(first_points<384>(225));
  check(every_third_point_missing<128>(80));
  check(every_third_point_missing<128>(96));
  check(every_third_point_missing<384>(380));
}

TEST_CASE("fact passes: points are packed where that takes fewer groups") {
  CHECK_FALSE(layout_of(first_points<64>(47)).is_packed);
  CHECK(layout_of(first_points<64>(47)).groups == 3);
  CHECK_FALSE(layout_of(every_third_point_missing<64>(6)).is_packed);
  const GroupLayout packed = layout_of(every_third_point_missing<384>(380));
  CHECK(packed.is_packed);
  CHECK(packed.groups == 16);
  std::vector<int> places;
  for_each_place(packed, every_third_point_missing<384>(380),
                 [&](int group, int p) { places.push_back(group * group_points + p); });
  REQUIRE(places.size() == 253);
  for (int i = 0; i < 253; ++i) CHECK(places[i] == i);
}
