#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "games/board_shape.hpp"
#include "games/notation.hpp"

namespace pitboss::games {

/// How a program or a connection writes moves (docs/dialects.md).
enum class Dialect : std::uint8_t {
  plain,  ///< whole moves, points as in GTP
  gogui,  ///< moves of several points are made point by point
  hexgui  ///< whole moves, column i exists, row 1 is the top one
};

/// Whether a board is drawn with its first row on top: GUIs know only one kind of hexagonal
/// neighbours, and turning the board makes the other kind into it.
[[nodiscard]] bool draws_upside_down(Dialect dialect, const BoardShape& shape);

/// How the dialect writes the points of a board.
[[nodiscard]] Notation notation_of(Dialect dialect, const BoardShape& shape);

/// A move or a point of a board of this shape as the dialect writes it.
[[nodiscard]] std::string spoken(Dialect dialect, const BoardShape& shape, std::string_view move);
/// A move or a point that the dialect wrote, in the program's own notation. A text that is no move
/// stays as it is; the game refuses it.
[[nodiscard]] std::string heard(Dialect dialect, const BoardShape& shape, std::string_view move);

}  // namespace pitboss::games
