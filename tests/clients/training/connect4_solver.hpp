#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace pitboss::clients {

/// Solves connect4 by alpha-beta search: who wins with best play. It knows nothing of our rules, so
/// that tests can trust it beside them.
class Connect4Solver {
 public:
  /// 1, 0 or -1 for the side to move after moves that are texts "d1".
  [[nodiscard]] int value(const std::vector<std::string>& moves) {
    Position position;
    for (const std::string& move : moves) position.play(move[0] - 'a');
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
    void play(int column) {
      const std::uint64_t bottom = std::uint64_t{1} << (column * stride);
      mover ^= all;  // the other side's stones
      all |= all + bottom;
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
    const auto known = known_.find(key);
    if (known != known_.end()) {
      const auto [low, high] = known->second;
      if (low >= beta || low == high) return low;
      if (high <= alpha) return high;
    }
    const int best = best_of(position, alpha, beta);
    auto& [low, high] = known_.try_emplace(key, Bounds{-1, 1}).first->second;
    if (best < beta) high = static_cast<std::int8_t>(best);
    if (best > alpha) low = static_cast<std::int8_t>(best);
    return best;
  }

  int best_of(const Position& position, int alpha, int beta) {
    std::array<Position, columns> next;
    int count = 0;
    for (const int column : {3, 2, 4, 1, 5, 0, 6}) {
      if (!position.can_play(column)) continue;
      next[count] = position;
      next[count].play(column);
      if (Position::has_row(next[count].other())) return 1;
      ++count;
    }
    int best = -1;
    for (int i = 0; i < count && best < beta; ++i) {
      best = std::max(best, -search(next[i], -beta, -std::max(alpha, best)));
    }
    return best;
  }

  struct Bounds {
    std::int8_t low;
    std::int8_t high;
  };
  std::unordered_map<std::uint64_t, Bounds> known_;
};

}  // namespace pitboss::clients
