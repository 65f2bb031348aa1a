#pragma once

#include "games/game.hpp"

/// Checks of positions set as text, for games of stones.
namespace pitboss::games {

/// Throws BadGame unless all pieces lie on the board, on different points. `piece` is the word for
/// a piece in the message.
template <class Board, std::size_t Kinds>
void check_stones(const std::array<Board, Kinds>& pieces, const Board& points,
                  const std::string& piece = "stone") {
  Board all;
  for (const Board& kind : pieces) {
    if ((all & kind).any()) throw BadGame("two " + piece + "s lie on one point");
    all |= kind;
  }
  if (minus(all, points).any()) throw BadGame("a " + piece + " lies outside the board");
}

/// For games whose positions have no third part; throws BadGame for one.
template <class Board, int Kinds>
void check_no_extra(const Setup<Board, Kinds>& setup, std::string_view game) {
  if (!setup.extra.empty()) {
    throw BadGame("a position of " + std::string(game) + " has no third part");
  }
}

/// For games in which every ply adds one stone, black's first. Throws BadGame if the numbers of
/// stones are impossible in such a game.
template <class Board>
void check_alternation(const Setup<Board>& setup) {
  if (setup.pieces[0].count() - setup.pieces[1].count() != index(setup.to_move)) {
    throw BadGame(
        "black must have as many stones as white when black is to move, one more when white is");
  }
}

/// Whether one of `stones` can have been placed last: without it the game was not over.
/// `is_over(stones)` says whether a game with these stones is over.
template <class Board, class IsOver>
[[nodiscard]] bool has_last_stone(const Board& stones, IsOver&& is_over) {
  bool found = false;
  stones.for_each([&](int p) { found = found || !is_over(minus(stones, Board::point(p))); });
  return found;
}

}  // namespace pitboss::games
