#pragma once

#include <cstddef>
#include <string_view>

#include "games/any_game.hpp"

/// What a picture of a board looks like; where its points lie follows from BoardShape.
/// docs/protocol.md has the words.
namespace pitboss::games {

/// The ground: "cells"; "chequered", where the points with even x + y are dark; "lines" that meet
/// in the points and join neighbours, on an "alquerque" board some of them diagonally; "holes";
/// cells between the colours' "sides", the first colour's at the bottom and the top; cells in
/// "columns", down which pieces fall.
[[nodiscard]] std::string_view board_style(const AnyGame& game);

/// The lattice as a word: "square", "hexagonal", "hexagonal-falling".
[[nodiscard]] std::string_view word_of(Lattice lattice);

/// A piece, by the place of its letter in `piece_letters`.
struct PieceDrawing {
  std::string_view colour;  ///< the name; rolit has balls of colours that nobody plays; empty: none
  std::string_view shape;   ///< "disc", "pawn", "knight", "queen", "town", "arrow"
};
[[nodiscard]] PieceDrawing piece_drawing(const AnyGame& game, std::size_t kind);

}  // namespace pitboss::games
