#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "engine/instruction_set.hpp"

/// Passes over the numbers that are kept for the facts of a board (fact_table.hpp), vectorised like
/// those of selection. They take every point of the board, whatever lies there: without a branch on
/// the position that costs less than going from piece to piece. Results do not depend on the
/// machine.
namespace pitboss::engine {

/// Boards are handled in groups of that many points: group i holds the places from 16 i on.
inline constexpr int group_points = 16;

/// In how many positions a piece of each kind lay on a point. In all others it was empty.
template <int Kinds>
using GroupCounts = std::uint32_t[Kinds][group_points];
template <int Kinds>
struct alignas(64) CountedGroup {
  GroupCounts<Kinds> seen;
  /// What has to be taken off 2^52 + k (a double's way to hold a whole number k) to get the count
  /// of a fact seen k times; `bias_slot` says where.
  double bias[group_points];
};
inline constexpr double bias_of_point = 0x1p52 - 0.5;   ///< the count is k + 1/2
inline constexpr double bias_of_no_point = 0x1p52 - 1;  ///< it is k + 1, which is N: density 1
/// Of four points that follow each other the first two are with the first points of the other
/// fours, the last two behind them: so vectors of counts fall into two of numbers.
[[nodiscard]] constexpr int bias_slot(int point) {
  const int of_group = point % group_points;
  return of_group / 2 % 2 * (group_points / 2) + of_group / 4 * 2 + of_group % 2;
}

/// The highest value seen with each fact: minus infinity if none, infinity where there is no point.
/// In single precision, so that a group is as few vectors as its counts.
template <int Kinds>
struct alignas(64) BestGroup {
  float empty[group_points];
  float piece[Kinds][group_points];
};

/// Where in the groups the points of a board are: point i at place i or, if they are packed, at as
/// many places as there are points before it.
struct GroupLayout {
  static constexpr int max_words = 6;

  int groups = 0;
  int words = 0;  ///< of a bitboard
  bool is_packed = false;
  std::array<std::uint64_t, max_words> points{};  ///< a bitboard
};

/// The passes, as compiled for this processor. `pieces` are the bitboards of the points with a
/// piece of each kind, one behind the other. `positions` is how many have been counted before this
/// one.
template <int Kinds>
struct FactPasses {
  /// Counts the position; returns 1 / sqrt(pseudocount) (formulas.hpp) for its densities before and
  /// after, the products over its facts of count / N and of (count + 1) / (N + 1). `scale` is N to
  /// the power of minus the number of groups, `scale_next` (N + 1) to that: what each of sixteen
  /// running products begins with, which get a factor from every group. With 361 points and
  /// N < 2^32 all of them stay in the range of doubles.
  double (*count_and_score)(CountedGroup<Kinds>* groups, const GroupLayout& layout,
                            const std::uint64_t* pieces, std::uint32_t positions, double scale,
                            double scale_next);
  /// Counts the position; returns how many of its facts have then been seen less than `bound`
  /// times. Places that are no points count as empty points.
  int (*count_and_compare)(CountedGroup<Kinds>* groups, const GroupLayout& layout,
                           const std::uint64_t* pieces, std::uint32_t positions,
                           std::uint32_t bound);
  /// Raises the numbers of the position's facts to at least `value`; returns whether one was lower.
  bool (*raise)(BestGroup<Kinds>* groups, const GroupLayout& layout, const std::uint64_t* pieces,
                float value);
};

using AllFactPasses = std::tuple<FactPasses<2>, FactPasses<3>, FactPasses<4>>;
/// Those for boards with this layout. `halved`: with vectors of 32 bytes where there are larger
/// ones.
[[nodiscard]] AllFactPasses all_fact_passes(const GroupLayout& layout, bool halved);

/// Those for games with so many kinds of pieces and boards with this layout.
template <int Kinds>
[[nodiscard]] FactPasses<Kinds> fact_passes(const GroupLayout& layout) {
  return std::get<FactPasses<Kinds>>(all_fact_passes(layout, slowed_by_widest_vectors()));
}

}  // namespace pitboss::engine
