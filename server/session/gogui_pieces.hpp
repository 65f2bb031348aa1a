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

/// The colours of the points with other pieces, as lines of GoGui's graphics commands.
[[nodiscard]] std::string piece_graphics(const games::AnyGame& game);

/// Hex: the rows that black joins are dark, the columns that white joins are light, as lines of the
/// same kind; the corners belong to both and stay as they are. Empty for other games.
[[nodiscard]] std::string edge_graphics(const games::AnyGame& game);

/// "black" or "white".
[[nodiscard]] std::string gogui_side_to_move(const games::AnyGame& game);

/// The colour that GoGui means by `colour` ("b", "black", "w", "white" in either case), if it is
/// one of those and the game has other colours: the side to move if its turn has that name, else
/// the next side.
[[nodiscard]] std::optional<games::Colour> gogui_colour(const games::AnyGame& game,
                                                        std::string_view colour);

}  // namespace pitboss::server
