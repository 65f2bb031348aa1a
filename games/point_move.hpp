#pragma once

#include <optional>
#include <string_view>

#include "games/game.hpp"
#include "games/notation.hpp"

namespace pitboss::games {

/// HasMoveOf for games whose moves are the points of their boards, as BoardShape numbers them.
[[nodiscard]] inline std::optional<Move> point_move(std::string_view text,
                                                    const BoardShape& shape) {
  const auto place = place_of(text);
  if (!place || place->x >= shape.width || place->y >= shape.height) return std::nullopt;
  return Move{static_cast<std::uint32_t>(shape.point(place->x, place->y))};
}

}  // namespace pitboss::games
