#pragma once

#include "games/cannon.hpp"

namespace pitboss::games {

/// All moves of a side's soldiers as sets of target points: one set for each way of moving, whose
/// targets all lie at the same distance from their from-points.
class CannonMoves {
 public:
  using Board = Cannon::Board;

  /// The moves of the side to move, including those that expose its town: callers check `is_legal`.
  explicit CannonMoves(const Cannon& game);

  [[nodiscard]] int count() const { return moves_; }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int i = 0; i < ways_; ++i) {
      targets_[i].for_each([&](int to) { visit(encode(i, to)); });
    }
  }
  /// Draws a uniformly random move and removes it. There must be one.
  [[nodiscard]] Move draw(Random& random) {
    const int n = random.below(count());
    int way = 0;
    for (int i = 0; i < ways_; ++i) way += n >= ends_[i] ? 1 : 0;
    const int to = targets_[way].nth(n - (way > 0 ? ends_[way - 1] : 0));
    targets_[way].remove(to);
    for (int i = way; i < ways_; ++i) --ends_[i];
    --moves_;
    return encode(way, to);
  }

 private:
  /// Three steps or captures forward, two captures sideways, three retreats; shifts and two shots
  /// in eight directions.
  static constexpr int most_ways = 3 + 2 + 3 + 3 * 8;

  template <int Mover>
  void find(const Cannon& game);
  /// The cannons on the axis of `Direction` and its opposite.
  template <int Direction>
  void find_cannons(const Board& own, const Board& empty, const Board& prey);
  template <int Direction>
  void find_front(const Board& front, const Board& empty, const Board& prey);

  /// Adds the moves to `targets` from the points that lie `distance` points before the targets.
  void add(const Board& targets, int distance, bool is_shot = false) {
    const int here = targets.count();
    moves_ += here;
    targets_[ways_] = targets;
    distances_[ways_] = static_cast<std::int8_t>(distance);
    shots_[ways_] = is_shot;
    ends_[ways_] = moves_;
    ways_ += here > 0 ? 1 : 0;  // an empty set is overwritten by the next one
  }
  [[nodiscard]] Move encode(int way, int to) const {
    const int from = to - distances_[way];
    return Move{static_cast<std::uint32_t>(from | to << 7 | (shots_[way] ? 1 << 14 : 0))};
  }

  int ways_ = 0;
  int moves_ = 0;
  std::array<Board, most_ways + 1> targets_;  // uninitialised on purpose: filled up to ways_
  std::array<int, most_ways + 1> ends_;       ///< the number of moves up to the end of each way
  std::array<std::int8_t, most_ways + 1> distances_;
  std::array<bool, most_ways + 1> shots_;
};

}  // namespace pitboss::games
