#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pitboss::clients {

/// Solves connect4 by alpha-beta search: who wins with best play. It knows nothing of our rules, so
/// that tests can trust it beside them.
class Connect4Solver {
 public:
  /// 1, 0 or -1 for the side to move after moves that are texts "d1".
  [[nodiscard]] int value(const std::vector<std::string>& moves) {
    Position position;
    for (const std::string& move : moves) position.play(position.place(move[0] - 'a'));
    return position.has_row(position.other()) ? -1 : search(position, -1, 1);
  }

 private:
  static constexpr int columns = 7;
  static constexpr int rows = 6;
  static constexpr int stride = rows + 1;  // an empty row above each column

  struct Position {
    std::uint64_t mover = 0;
    std::uint64_t all = 0;
    int stones = 0;

    [[nodiscard]] std::uint64_t other() const { return mover ^ all; }
    [[nodiscard]] bool can_play(int column) const {
      return (all >> (column * stride + rows - 1) & 1U) == 0;
    }
    /// The place that a stone in this column would take.
    [[nodiscard]] std::uint64_t place(int column) const {
      return (all + (std::uint64_t{1} << (column * stride))) & ~all;
    }
    void play(std::uint64_t place) {
      mover ^= all;  // the other side's stones
      all |= place;
      ++stones;
    }
    [[nodiscard]] static bool has_row(std::uint64_t men) {
      for (const int step : {1, stride - 1, stride, stride + 1}) {
        const std::uint64_t pairs = men & (men >> step);
        if ((pairs & (pairs >> (2 * step))) != 0) return true;
      }
      return false;
    }
  };

  int search(const Position& position, int alpha, int beta) {
    if (position.stones == columns * rows) return 0;
    const std::uint64_t key = position.mover + position.all;
    Known& known = known_[key % known_.size()];
    if (known.key == key) {
      if (known.low >= beta || known.low == known.high) return known.low;
      if (known.high <= alpha) return known.high;
    }
    const int best = best_of(position, alpha, beta);
    if (known.key != key) known = {key, -1, 1};
    if (best < beta) known.high = static_cast<std::int8_t>(best);
    if (best > alpha) known.low = static_cast<std::int8_t>(best);
    return best;
  }

  int best_of(const Position& position, int alpha, int beta) {
    std::array<std::uint64_t, columns> places;
    int count = 0;
    std::uint64_t forced = 0;  // where the other side would have a row
    for (const int column : {3, 2, 4, 1, 5, 0, 6}) {
      if (!position.can_play(column)) continue;
      const std::uint64_t place = places[count++] = position.place(column);
      if (Position::has_row(position.mover | place)) return 1;
      if (Position::has_row(position.other() | place)) forced |= place;
    }
    int best = -1;
    for (int i = 0; i < count && best < beta; ++i) {
      if ((forced & ~places[i]) != 0) continue;  // the other side would win at once
      Position next = position;
      next.play(places[i]);
      best = std::max(best, -search(next, -beta, -std::max(alpha, best)));
    }
    return best;
  }

  struct Known {
    std::uint64_t key = 0;  ///< of no position but the empty board
    std::int8_t low = -1;
    std::int8_t high = 1;
  };
  /// By key modulo its size, a prime; what is newer replaces what was there.
  std::vector<Known> known_ = std::vector<Known>(4194301);
};

}  // namespace pitboss::clients
