#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "games/any_game.hpp"

/// GoGui knows black and white stones, and two colours that take turns. Other pieces are shown as
/// coloured points; other colours are named black and white in turn.
namespace pitboss::server {

/// What lies on a point, as GoGui's board shows it: 'X', 'O' or '.'.
[[nodiscard]] char gogui_stone(char content);

/// A point or a word as GoGui writes it: in capitals.
[[nodiscard]] std::string gogui_point(std::string text);

/// Lines of GoGui's graphics commands that colour the points with other pieces.
[[nodiscard]] std::string piece_graphics(const games::AnyGame& game);

/// For hex, lines of the same kind: the rows that black joins are dark, the columns that white
/// joins are light; the corners belong to both and keep their colour. Empty for other games.
[[nodiscard]] std::string edge_graphics(const games::AnyGame& game);

/// "black" or "white".
[[nodiscard]] std::string gogui_side_to_move(const games::AnyGame& game);

/// The side that GoGui means by `colour` ("b", "black", "w", "white" in either case): the side to
/// move if GoGui gives that name to its turn, else the next side. Nothing for other words, and if
/// the game's own colours are black and white.
[[nodiscard]] std::optional<games::Colour> gogui_colour(const games::AnyGame& game,
                                                        std::string_view colour);

}  // namespace pitboss::server
