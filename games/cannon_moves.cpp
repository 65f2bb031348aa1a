#include "games/cannon_moves.hpp"

namespace pitboss::games {

namespace {

using Board = Cannon::Board;
constexpr int cannon_side = Cannon::side;

/// East, west, north, south, then the diagonals; opposite ones side by side.
constexpr std::array<int, 8> offsets{1,
                                     -1,
                                     cannon_side,
                                     -cannon_side,
                                     cannon_side + 1,
                                     -cannon_side - 1,
                                     cannon_side - 1,
                                     1 - cannon_side};

/// Always inline: g++ would not inline it, and playouts take twice the time then.
template <int Direction>
[[gnu::always_inline]] inline Board step(const Board& from) {
  constexpr Board reached = [] {
    Board points;
    for (int p = 0; p < cannon_side * cannon_side; ++p) {
      const int q = p - offsets[Direction];
      if (q < 0 || q >= cannon_side * cannon_side) continue;
      const int dx = p % cannon_side - q % cannon_side;
      if (-1 <= dx && dx <= 1) points.add(p);
    }
    return points;
  }();
  return from.shifted(offsets[Direction]) & reached;
}

}  // namespace

template <int Direction>
void CannonMoves::find_front(const Board& front, const Board& empty, const Board& prey) {
  const Board ahead = step<Direction>(front) & empty;
  const Board second = step<Direction>(ahead);
  add(ahead, 3 * offsets[Direction]);
  add(second & prey, 2 * offsets[Direction], true);
  add(step<Direction>(second) & prey, 3 * offsets[Direction], true);
}

template <int Direction>
void CannonMoves::find_cannons(const Board& own, const Board& empty, const Board& prey) {
  const Board front = step<Direction>(step<Direction>(own) & own) & own;
  if (front.none()) return;
  find_front<Direction>(front, empty, prey);
  find_front<Direction ^ 1>(step<Direction ^ 1>(step<Direction ^ 1>(front)), empty, prey);
}

template <int Mover>
void CannonMoves::find(const Cannon& game) {
  // Directions are turned round for white.
  constexpr int up = 2 ^ Mover;
  constexpr int up_right = 4 ^ Mover;
  constexpr int up_left = 6 ^ Mover;
  constexpr int down = up ^ 1;
  constexpr int down_left = up_right ^ 1;
  constexpr int down_right = up_left ^ 1;
  const Board own = game.soldiers_[Mover];
  const Board enemy = game.soldiers_[1 - Mover];
  const Board empty = minus(Cannon::all_points, game.occupied());
  const Board prey = game.paper_ ? enemy : enemy | game.town(1 - Mover);
  const Board enterable = empty | prey;

  add(step<up>(own) & enterable, offsets[up]);
  add(step<up_right>(own) & enterable, offsets[up_right]);
  add(step<up_left>(own) & enterable, offsets[up_left]);
  add(step<0>(own) & prey, offsets[0]);
  add(step<1>(own) & prey, offsets[1]);

  const Board beside = prey | step<2>(prey) | step<3>(prey);
  const Board pressed = own & (beside | step<0>(beside) | step<1>(beside));
  if (pressed.any()) {
    add(step<down>(step<down>(pressed) & empty) & empty, 2 * offsets[down]);
    add(step<down_left>(step<down_left>(pressed) & empty) & empty, 2 * offsets[down_left]);
    add(step<down_right>(step<down_right>(pressed) & empty) & empty, 2 * offsets[down_right]);
  }

  find_cannons<0>(own, empty, prey);
  find_cannons<2>(own, empty, prey);
  find_cannons<4>(own, empty, prey);
  find_cannons<6>(own, empty, prey);
}

CannonMoves::CannonMoves(const Cannon& game) {
  if (game.placing()) {
    add(game.town_points(game.mover()), 0);
  } else if (game.mover() == 0) {
    find<0>(game);
  } else {
    find<1>(game);
  }
}

}  // namespace pitboss::games
