#pragma once

#include <array>

#include "games/hex_board.hpp"

namespace pitboss::games {

inline constexpr int hex_unreachable = 361;

/// How many stones each colour, black first, must still place until its edges are joined by stones
/// that are neighbours or a bridge apart. A bridge is two points with two common empty neighbours,
/// of which the enemy can take only one. An edge counts as a row of stones. `hex_unreachable` for a
/// side that can no longer join its edges.
[[nodiscard]] std::array<int, 2> hex_distances(const HexBoard& board,
                                               const std::array<Bitboard<384>, 2>& stones);

}  // namespace pitboss::games
