#pragma once

#include "games/game.hpp"

/// What a position given as text must fulfil in every game of stones.
namespace pitboss::games {

/// Throws BadGame unless the stones lie on the board and no two on one point.
template <class Board>
void check_stones(const Setup<Board>& setup, const Board& points) {
  if ((setup.pieces[0] & setup.pieces[1]).any()) throw BadGame("two stones lie on one point");
  if (minus(setup.pieces[0] | setup.pieces[1], points).any()) {
    throw BadGame("a stone lies outside the board");
  }
}

/// For games in which every ply adds one stone, black's first. Throws BadGame if that cannot have
/// led to the numbers of stones.
template <class Board>
void check_alternation(const Setup<Board>& setup) {
  if (setup.pieces[0].count() - setup.pieces[1].count() != index(setup.to_move)) {
    throw BadGame("black has as many stones as white when black moves, one more when white moves");
  }
}

/// Whether one of `stones` can have been the last, if no game goes on that `is_over(stones)`:
/// without it the game was not over yet.
template <class Board, class IsOver>
[[nodiscard]] bool has_last_stone(const Board& stones, IsOver&& is_over) {
  bool found = false;
  stones.for_each([&](int p) { found = found || !is_over(minus(stones, Board::point(p))); });
  return found;
}

}  // namespace pitboss::games
