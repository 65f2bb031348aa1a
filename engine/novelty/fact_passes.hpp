#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "engine/instruction_set.hpp"

/// Passes over the statistics of a board's facts (fact_table.hpp), vectorised like selection's
/// passes. They visit every point of the board, empty or not: this needs no branch on the position,
/// and so costs less than visiting piece by piece. Results do not depend on the machine.
namespace pitboss::engine {

/// Boards are handled in groups of 16 points: group i holds the places from 16 i on.
inline constexpr int group_points = 16;

/// In how many positions each kind of piece lay on each point; in all others the point was empty.
template <int Kinds>
using GroupCounts = std::uint32_t[Kinds][group_points];
template <int Kinds>
struct alignas(64) CountedGroup {
  GroupCounts<Kinds> seen;
  /// What is subtracted from 2^52 + k (a double whose low bits are k) to get the count of a fact
  /// seen k times; a point's is at index `bias_slot`.
  double bias[group_points];
};
inline constexpr double bias_of_point = 0x1p52 - 0.5;   ///< the count is k + 1/2
inline constexpr double bias_of_no_point = 0x1p52 - 1;  ///< the count is k + 1 = N: density 1
/// A point's index in `bias`: of every four points the first two lie in the first half and the last
/// two in the second, as a vector of counts splits into two vectors of doubles.
[[nodiscard]] constexpr int bias_slot(int point) {
  const int of_group = point % group_points;
  return of_group / 2 % 2 * (group_points / 2) + of_group / 4 * 2 + of_group % 2;
}

/// The highest value seen with each fact: minus infinity if none, infinity for a place that is no
/// point. Single precision, so that a group takes as few vectors as its counts.
template <int Kinds>
struct alignas(64) BestGroup {
  float empty[group_points];
  float piece[Kinds][group_points];
};

/// The places of a board's points in the groups. Point i is at place i; or, if the points are
/// packed, at the place that equals the number of points before it.
struct GroupLayout {
  static constexpr int max_words = 6;

  int groups = 0;
  int words = 0;  ///< of a bitboard
  bool is_packed = false;
  std::array<std::uint64_t, max_words> points{};  ///< of the board
};

/// The passes, as compiled for this processor. `pieces` are the bitboards of the points with a
/// piece of each kind, one after the other. `positions` is the number of positions counted before.
template <int Kinds>
struct FactPasses {
  /// Counts the position; returns 1 / sqrt(pseudocount) (formulas.hpp) for its densities before and
  /// after: the products over its facts of count / N and of (count + 1) / (N + 1). `scale` and
  /// `scale_next` are N and N + 1 to the power of minus the number of groups. Each of sixteen
  /// running products begins with one of them and gets a factor from every group. With 361 points
  /// and N < 2^32 all products stay in the range of doubles.
  double (*count_and_score)(CountedGroup<Kinds>* groups, const GroupLayout& layout,
                            const std::uint64_t* pieces, std::uint32_t positions, double scale,
                            double scale_next);
  /// Counts the position; returns how many of its facts have a count below `bound` then. Places
  /// that are no points count as empty points.
  int (*count_and_compare)(CountedGroup<Kinds>* groups, const GroupLayout& layout,
                           const std::uint64_t* pieces, std::uint32_t positions,
                           std::uint32_t bound);
  /// Raises the best values of the position's facts to at least `value`; returns whether any of
  /// them was lower.
  bool (*raise)(BestGroup<Kinds>* groups, const GroupLayout& layout, const std::uint64_t* pieces,
                float value);
};

using AllFactPasses = std::tuple<FactPasses<2>, FactPasses<3>, FactPasses<4>>;
/// The passes for boards with this layout. `halved`: with vectors of 32 bytes even if the machine
/// has larger ones.
[[nodiscard]] AllFactPasses all_fact_passes(const GroupLayout& layout, bool halved);

/// The passes for games with `Kinds` kinds of pieces and boards with this layout.
template <int Kinds>
[[nodiscard]] FactPasses<Kinds> fact_passes(const GroupLayout& layout) {
  return std::get<FactPasses<Kinds>>(all_fact_passes(layout, slowed_by_widest_vectors()));
}

}  // namespace pitboss::engine
