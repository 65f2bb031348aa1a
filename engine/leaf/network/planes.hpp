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
namespace pitboss::engine {

namespace detail {

template <class G>
[[nodiscard]] constexpr int mark_kinds() {
  if constexpr (games::HasMarks<G>) {
    return G::mark_kinds;
  } else {
    return 0;
  }
}

template <games::Game G>
[[nodiscard]] bool fills_rectangle(const G& game) {
  return game.points().count() == game.shape().cells();
}

/// Writes a plane with ones on `points`; returns the next one.
template <class Board>
float* fill_plane(const Board& points, const games::BoardShape& shape, float* out) {
  const std::uint64_t columns = (std::uint64_t{1} << shape.width) - 1;
  std::fill_n(out, shape.cells(), 0.0F);
  for (int y = shape.height - 1; y >= 0; --y, out += shape.width) {
    std::uint64_t row = points.window(y * shape.stride) & columns;
    for (; row != 0; row &= row - 1) out[std::countr_zero(row)] = 1;
  }
  return out;
}

}  // namespace detail

/// The same for all positions of a game.
template <games::Game G>
[[nodiscard]] int plane_count(const G& game) {
  return games::kinds_of<G> + games::seats_of(game) + detail::mark_kinds<G>() +
         (detail::fills_rectangle(game) ? 0 : 1);
}

/// Writes the planes, each row by row from the top (BoardShape::cell), to
/// `out[0 .. plane_count(position) * position.shape().cells())`.
template <games::Game G>
void fill_planes(const G& position, float* out) {
  const games::BoardShape shape = position.shape();
  for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
    out = detail::fill_plane(position.pieces(kind), shape, out);
  }
  for (int colour = 0; colour < games::seats_of(position); ++colour) {
    out = std::fill_n(out, shape.cells(), colour == index(position.to_move()) ? 1.0F : 0.0F);
  }
  if constexpr (games::HasMarks<G>) {
    for (int kind = 0; kind < G::mark_kinds; ++kind) {
      out = detail::fill_plane(position.marks(kind), shape, out);
    }
  }
  if (!detail::fills_rectangle(position)) detail::fill_plane(position.points(), shape, out);
}

}  // namespace pitboss::engine
