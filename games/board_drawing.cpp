#include "games/board_drawing.hpp"

#include <array>

namespace pitboss::games {

std::string_view board_style(const AnyGame& game) {
  const std::string_view name = game.name();
  if (name == "hex") return "sides";
  if (name == "connect4") return "columns";
  if (name == "chinesecheckers") return "holes";
  if (name == "fanorona") return "alquerque";
  if (name == "gomoku" || name == "atarigo" || name == "cannon") return "lines";
  if (name == "breakthrough" || name == "knightthrough" || name == "amazons") return "chequered";
  return "cells";
}

std::string_view word_of(Lattice lattice) {
  switch (lattice) {
    case Lattice::hexagonal:
      return "hexagonal";
    case Lattice::hexagonal_falling:
      return "hexagonal-falling";
    case Lattice::square:
      break;
  }
  return "square";
}

PieceDrawing piece_drawing(const AnyGame& game, std::size_t kind) {
  constexpr std::array<std::string_view, most_players> balls{"red", "yellow", "green", "blue"};
  const std::string_view name = game.name();
  if (name == "rolit") return {balls[kind], "disc"};
  const auto colours = game.colours();
  const std::string_view colour = colours[kind % colours.size()];
  if (name == "amazons")
    return kind < colours.size() ? PieceDrawing{colour, "queen"} : PieceDrawing{"", "arrow"};
  if (name == "cannon" && kind >= colours.size()) return {colour, "town"};
  if (name == "breakthrough") return {colour, "pawn"};
  if (name == "knightthrough") return {colour, "knight"};
  return {colour, "disc"};
}

}  // namespace pitboss::games
