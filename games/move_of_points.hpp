#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.hpp"
#include "games/notation.hpp"

namespace pitboss::games {

/// Implements HasMoveOf for games whose moves are written as `count` points and encoded as the
/// numbers of these points (BoardShape), `bits` bits each, the first point lowest.
[[nodiscard]] inline std::optional<Move> move_of_points(std::string_view text,
                                                        const BoardShape& shape, int count = 1,
                                                        int bits = 0) {
  const std::vector<std::string> points = points_of(text);
  if (std::ssize(points) != count) return std::nullopt;
  std::uint32_t code = 0;
  for (int i = 0; i < count; ++i) {
    const auto place = place_of(points[i]);
    if (!place || place->x >= shape.width || place->y >= shape.height) return std::nullopt;
    code |= static_cast<std::uint32_t>(shape.point(place->x, place->y)) << (i * bits);
  }
  return Move{code};
}

}  // namespace pitboss::games
