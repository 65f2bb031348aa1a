#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "games/game.hpp"

namespace pitboss::protocol {

/// How one connection writes moves (docs/dialects.md).
enum class Dialect : std::uint8_t {
  plain,  ///< whole moves, points as in GTP
  gogui,  ///< moves of several points are made point by point
  hexgui  ///< whole moves, column i exists, row 1 is the top one
};

[[nodiscard]] std::string_view dialect_name(Dialect dialect);
/// The dialect of that name; nothing if there is none.
[[nodiscard]] std::optional<Dialect> dialect_named(std::string_view name);

/// A move or a point of a board of this shape as the dialect writes it.
[[nodiscard]] std::string spoken(Dialect dialect, const games::BoardShape& shape,
                                 std::string_view move);
/// A move or a point that the dialect wrote, in the program's own notation. A text that is no move
/// stays as it is; the game refuses it.
[[nodiscard]] std::string heard(Dialect dialect, const games::BoardShape& shape,
                                std::string_view move);

/// Whether a board is drawn with its first row on top: GUIs know only one kind of hexagonal
/// neighbours, and turning the board makes the other kind into it.
[[nodiscard]] bool draws_upside_down(Dialect dialect, const games::BoardShape& shape);

}  // namespace pitboss::protocol
