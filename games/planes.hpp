#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "games/game.hpp"

/// Positions as networks read them: a stack of planes, each a picture of the rectangle round the
/// board. The planes of a game, in this order:
///
/// 1. each kind of piece, in the order of `piece_letters`, the men of the colours first;
/// 2. each colour that has a player, in turn order: ones everywhere for the side to move, else
///    zeros;
/// 3. each kind of mark (HasMarks);
/// 4. if the board does not fill the rectangle: its points.
///
/// These planes tell which moves are legal in a game of known parameters. They leave out what only
/// bounds a game's length: the number of plies, and othello's passes in a row.
namespace pitboss::games {

namespace detail {

template <class G>
[[nodiscard]] constexpr int mark_kinds() {
  if constexpr (HasMarks<G>) {
    return G::mark_kinds;
  } else {
    return 0;
  }
}

template <Game G>
[[nodiscard]] bool fills_rectangle(const G& game) {
  return game.points().count() == game.shape().cells();
}

/// Writes a plane with ones on `points`; returns the next one.
template <class Board, class Number>
Number* fill_plane(const Board& points, const BoardShape& shape, Number* out) {
  const std::uint64_t columns = (std::uint64_t{1} << shape.width) - 1;
  std::fill_n(out, shape.cells(), Number{0});
  for (int y = shape.height - 1; y >= 0; --y, out += shape.width) {
    std::uint64_t row = points.window(y * shape.stride) & columns;
    for (; row != 0; row &= row - 1) out[std::countr_zero(row)] = 1;
  }
  return out;
}

}  // namespace detail

/// The same for all positions of a game.
template <Game G>
[[nodiscard]] int plane_count(const G& game) {
  return kinds_of<G> + seats_of(game) + detail::mark_kinds<G>() +
         (detail::fills_rectangle(game) ? 0 : 1);
}

/// Writes the planes, each row by row from the top (BoardShape::cell), to
/// `out[0 .. plane_count(position) * position.shape().cells())`.
template <Game G, class Number>
void fill_planes(const G& position, Number* out) {
  const BoardShape shape = position.shape();
  for (int kind = 0; kind < kinds_of<G>; ++kind) {
    out = detail::fill_plane(position.pieces(kind), shape, out);
  }
  for (int colour = 0; colour < seats_of(position); ++colour) {
    out = std::fill_n(out, shape.cells(), static_cast<Number>(colour == index(position.to_move())));
  }
  if constexpr (HasMarks<G>) {
    for (int kind = 0; kind < G::mark_kinds; ++kind) {
      out = detail::fill_plane(position.marks(kind), shape, out);
    }
  }
  if (!detail::fills_rectangle(position)) detail::fill_plane(position.points(), shape, out);
}

}  // namespace pitboss::games
