#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

/// How far a queen slides on boards of up to 10x10 points. Point (x, y) is 10y + x on all of them.
///
/// Every row, column and diagonal is a word with a bit for each free point; places outside the
/// board are not free. A table tells how many points are free on either side of a point of a line.
/// A step of a piece changes four words. (With a bitboard of the whole board every queen would need
/// a walk or a multiplication in four directions.)
namespace pitboss::games {

inline constexpr int queen_stride = 10;
inline constexpr int queen_points = queen_stride * queen_stride;
/// Row, column, rising and falling diagonal.
inline constexpr int queen_axes = 4;
/// By axis: the difference between the numbers of a point and the next one.
inline constexpr std::array<int, queen_axes> queen_steps{1, queen_stride, queen_stride + 1,
                                                         1 - queen_stride};

/// Four numbers below 2^15 side by side in one word, lowest first: one instruction on the word acts
/// on all four.
using FourLanes = std::uint64_t;
inline constexpr FourLanes each_lane = 0x0001'0001'0001'0001U;
[[nodiscard]] constexpr int lane(FourLanes lanes, int i) {
  return static_cast<int>((lanes >> 16 * i) & 0xffffU);
}

/// In every lane the larger of the two numbers of `a` and `b`.
[[nodiscard]] constexpr FourLanes larger(FourLanes a, FourLanes b) {
  const FourLanes a_wins = (((a | 0x8000U * each_lane) - b) >> 15) & each_lane;
  const FourLanes mask = (a_wins << 16) - a_wins;
  return (a & mask) | (b & ~mask);
}

/// Things in four groups, numbered from 0 through all groups.
class FourGroups {
 public:
  explicit constexpr FourGroups(FourLanes sizes) : ends_(sizes * each_lane), sizes_(sizes) {}
  [[nodiscard]] constexpr int count() const { return static_cast<int>(ends_ >> 48); }
  /// The group of thing `n`. Without branches, which the processor could not predict for a random
  /// `n`.
  [[nodiscard]] constexpr int group(int n) const {
    const FourLanes ended = (static_cast<FourLanes>(n) + 0x8000U) * each_lane - ends_;
    return std::popcount(ended & 0x8000U * each_lane);
  }
  /// The number of things in the groups before group `i`.
  [[nodiscard]] constexpr int before(int i) const { return lane(ends_ - sizes_, i); }

 private:
  FourLanes ends_;
  FourLanes sizes_;
};

/// How many points are free before and after a point on an axis, up to the first blocked ones.
struct QueenRun {
  int before;
  int after;
  [[nodiscard]] constexpr int length() const { return before + after; }
  /// The signed steps to the `n`th of these points; 0 <= n < length().
  [[nodiscard]] constexpr int steps(int n) const { return n - before + (n >= before ? 1 : 0); }
};

/// The points that a queen reaches: on each axis the free points before and after it, up to the
/// first blocked ones.
class QueenReach {
 public:
  constexpr QueenReach(int point, FourLanes before, FourLanes after)
      : point_(point), before_(before), after_(after) {}

  /// A point reached, as an axis and the steps along it, which may be negative.
  struct Target {
    int axis;
    int steps;
  };

  [[nodiscard]] constexpr int point() const { return point_; }
  [[nodiscard]] constexpr int before(int axis) const { return lane(before_, axis); }
  [[nodiscard]] constexpr int after(int axis) const { return lane(after_, axis); }
  [[nodiscard]] constexpr FourLanes lengths() const { return before_ + after_; }
  [[nodiscard]] constexpr int count() const { return groups().count(); }
  /// 0 <= n < count().
  [[nodiscard]] constexpr Target nth(int n) const {
    const FourGroups axes = groups();
    const int axis = axes.group(n);
    return {axis, QueenRun{before(axis), after(axis)}.steps(n - axes.before(axis))};
  }
  [[nodiscard]] constexpr int at(Target target) const {
    return point_ + target.steps * queen_steps[target.axis];
  }
  /// Calls `visit(target)` for every point reached.
  template <class Visit>
  constexpr void for_each(Visit&& visit) const {
    for (int axis = 0; axis < queen_axes; ++axis) {
      for (int s = -before(axis); s <= after(axis); ++s) {
        if (s != 0) visit(Target{axis, s});
      }
    }
  }

 private:
  [[nodiscard]] constexpr FourGroups groups() const { return FourGroups(lengths()); }

  int point_;
  FourLanes before_;
  FourLanes after_;
};

/// The free points of all lines.
class QueenLines {
 public:
  QueenLines() = default;
  /// An empty board of that many points along a side, at most 10.
  explicit constexpr QueenLines(int size) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) turn(queen_stride * y + x);
    }
  }

  /// Blocks the point if it is free, else frees it.
  constexpr void turn(int point) {
    for (const Place& at : places[point]) lines_[at.line] ^= at.bit;
  }

  [[nodiscard]] constexpr QueenReach reach(int point) const {
    FourLanes both = 0;
    for (int axis = 0; axis < queen_axes; ++axis) {
      both |= FourLanes{run(point, axis)} << 16 * axis;
    }
    return {point, both & 0xffU * each_lane, (both >> 8) & 0xffU * each_lane};
  }
  /// For each axis a bound, 2, 3, 5, 7 or 10, on the number of free points in a row. Finds the
  /// starts of longer and longer runs on eight lines at once, two of each axis.
  [[nodiscard]] FourLanes longest_runs() const {
    using Eight [[gnu::vector_size(16)]] = std::int16_t;
    std::array<Eight, kept_lines / 8> lines;
    std::memcpy(lines.data(), lines_.data(), sizeof lines_);
    Eight three{};
    Eight four{};
    Eight six{};
    Eight eight{};
    for (const Eight& free : lines) {
      const Eight from_two = free & free >> 1;
      const Eight from_four = from_two & from_two >> 2;
      three |= from_two & free >> 2;
      four |= from_four;
      six |= from_four & from_two >> 4;
      eight |= from_four & from_four >> 4;
    }
    // A true comparison is -1.
    const Eight bounds = 2 - (three != 0) - 2 * (four != 0) - 2 * (six != 0) - 3 * (eight != 0);
    std::array<FourLanes, 2> halves;
    std::memcpy(halves.data(), &bounds, sizeof bounds);
    return larger(halves[0], halves[1]);
  }
  /// How far an arrow flies on `axis` from `target`, where `queen` has moved: the queen's old point
  /// is free.
  [[nodiscard]] constexpr QueenRun arrows(const QueenReach& queen, QueenReach::Target target,
                                          int axis) const {
    const unsigned both = run(queen.at(target), axis);
    const bool along = axis == target.axis;
    return {along ? queen.before(axis) + target.steps : static_cast<int>(both & 0xffU),
            along ? queen.after(axis) - target.steps : static_cast<int>(both >> 8)};
  }

 private:
  /// The place of a point on a line. The point's column (on a column its row) selects its bit and
  /// its part of the table `runs`.
  struct Place {
    std::uint16_t line;
    std::uint16_t bit;
    std::uint16_t first_run;
  };
  static constexpr int patterns = 1 << queen_stride;
  /// The number of a diagonal is x - y or x + y, constant along the diagonal, modulo this. So two
  /// diagonals share a line; a place that is always blocked lies between them.
  static constexpr int diagonals = queen_stride + 1;
  /// The lines of the four axes alternate. Their number is rounded up to a multiple of eight; the
  /// added lines are always blocked.
  static constexpr int kept_lines = (queen_axes * diagonals + 7) / 8 * 8;

  static constexpr auto places = [] {
    const auto place = [](int axis, int number, int at) {
      return Place{static_cast<std::uint16_t>(queen_axes * number + axis),
                   static_cast<std::uint16_t>(1 << at), static_cast<std::uint16_t>(patterns * at)};
    };
    std::array<std::array<Place, queen_axes>, queen_points> all{};
    for (int y = 0; y < queen_stride; ++y) {
      for (int x = 0; x < queen_stride; ++x) {
        all[queen_stride * y + x] = {place(0, y, x), place(1, x, y),
                                     place(2, (x - y + diagonals) % diagonals, x),
                                     place(3, (x + y) % diagonals, x)};
      }
    }
    return all;
  }();

  /// By place and free points of a line: the number of free points before the place, plus 256 times
  /// the number after it.
  static constexpr auto runs = [] {
    std::array<std::uint16_t, queen_stride * patterns> all{};
    for (int place = 0; place < queen_stride; ++place) {
      for (int line = 0; line < patterns; ++line) {
        int before = 0;
        while (before < place && ((line >> (place - before - 1)) & 1) != 0) ++before;
        int after = 0;
        while (place + after + 1 < queen_stride && ((line >> (place + after + 1)) & 1) != 0) {
          ++after;
        }
        all[patterns * place + line] = static_cast<std::uint16_t>(before + 256 * after);
      }
    }
    return all;
  }();

  [[nodiscard]] constexpr std::uint16_t run(int point, int axis) const {
    const Place& at = places[point][axis];
    return runs[at.first_run + lines_[at.line]];
  }

  std::array<std::uint16_t, kept_lines> lines_{};
};

}  // namespace pitboss::games
