#include "engine/novelty/fact_passes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <type_traits>
#include <vector>

#include "engine/novelty/fact_table.hpp"
#include "games/random.hpp"
#include "tests/engine/instruction_sets.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

/// What the passes answer, and what they leave behind.
struct Answers {
  std::vector<double> scores;
  std::vector<std::uint64_t> others;
  bool operator==(const Answers&) const = default;
};
/// About random positions on a board with these points, counted from `counted_before` on: in those
/// before, each point had each kind of piece and none equally often.
template <int Kinds, int Bits>
Answers answers(const games::Bitboard<Bits>& points, bool halved, std::uint32_t counted_before) {
  constexpr int words = games::Bitboard<Bits>::words;
  const GroupLayout layout = layout_of(points);
  const auto passes = std::get<FactPasses<Kinds>>(all_fact_passes(layout, halved));
  std::vector<CountedGroup<Kinds>> counted(layout.groups);
  std::vector<BestGroup<Kinds>> best(layout.groups);
  for (auto& group : counted) std::ranges::fill(group.bias, bias_of_no_point);
  const std::uint32_t each = counted_before / (Kinds + 1);
  for_each_place(layout, points, [&](int group, int p) {
    counted[group].bias[bias_slot(p)] = bias_of_point;
    for (auto& of_kind : counted[group].seen) of_kind[p] = each;
  });
  std::vector<CountedGroup<Kinds>> compared = counted;

  games::Random random{3};
  Answers all;
  for (std::uint32_t i = 0; i < 100; ++i) {
    const std::uint32_t positions = counted_before + i;
    std::uint64_t board_words[Kinds * words] = {};
    std::uint32_t below = 0;
    const std::uint32_t bound = i < 4 ? i : each + i / 3;
    std::vector<int> kinds;  // of the points, in their order
    points.for_each([&](int p) {
      kinds.push_back(random.below(Kinds + 2));  // two of them are empty points
      if (kinds.back() < Kinds) {
        board_words[kinds.back() * words + p / 64] |= std::uint64_t{1} << p % 64;
      }
    });
    // By the book, one place after the other; those that are no points are empty.
    std::vector<int> kind_at(layout.groups * group_points, Kinds);
    auto next = kinds.begin();
    for_each_place(layout, points,
                   [&](int group, int p) { kind_at[group * group_points + p] = *next++; });
    for (int group = 0; group < layout.groups; ++group) {
      for (int p = 0; p < group_points; ++p) {
        const int kind = kind_at[group * group_points + p];
        std::uint32_t seen = positions;
        for (const auto& of_kind : compared[group].seen) seen -= of_kind[p];
        if (kind < Kinds) seen = compared[group].seen[kind][p];
        if (std::uint64_t{seen} + 1 < bound) ++below;
      }
    }
    const double scale = std::pow(positions + 1.0, -layout.groups);
    const double scale_next = std::pow(positions + 2.0, -layout.groups);
    const float value = static_cast<float>(random.below(1000)) / 1000;
    all.scores.push_back(
        passes.count_and_score(counted.data(), layout, board_words, positions, scale, scale_next));
    const auto answer =
        passes.count_and_compare(compared.data(), layout, board_words, positions, bound);
    CHECK(answer == static_cast<int>(below));
    all.others.push_back(answer);
    all.others.push_back(passes.raise(best.data(), layout, board_words, value) ? 1 : 0);
  }
  for (int group = 0; group < layout.groups; ++group) {
    for (int k = 0; k < Kinds; ++k) {
      for (int p = 0; p < group_points; ++p) {
        CHECK(counted[group].seen[k][p] == compared[group].seen[k][p]);
        all.others.push_back(counted[group].seen[k][p]);
        all.others.push_back(std::bit_cast<std::uint32_t>(best[group].piece[k][p]));
      }
    }
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

TEST_CASE_TEMPLATE("fact passes: the same bits with every instruction set and width of vectors",
                   Kind, std::integral_constant<int, 2>, std::integral_constant<int, 3>,
                   std::integral_constant<int, 4>) {
  constexpr int kinds = Kind::value;
  const auto check = [](const auto& points) {
    for (const std::uint32_t before : {0U, (1U << 31) - 50, 3'999'999'000U}) {
      const auto expected = answers<kinds>(points, false, before);
      for (const double score : expected.scores) {
        CHECK(std::isfinite(score));
        CHECK(score >= 0);
      }
      const std::set<double> different(expected.scores.begin(), expected.scores.end());
      CHECK(different.size() > 50);
      tests::with_each_instruction_set([&] {
        for (const bool halved : {false, true}) {
          CHECK((answers<kinds>(points, halved, before) == expected));
        }
      });
    }
  };
  check(first_points<64>(20));
  check(first_points<64>(47));
  check(first_points<64>(64));
  check(first_points<384>(47));
  check(first_points<384>(225));
  check(every_third_point_missing<64>(62));
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
