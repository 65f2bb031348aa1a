#pragma once

#include <array>

#include "games/hex_board.hpp"

namespace pitboss::games {

inline constexpr int hex_unreachable = 361;

/// How many stones each colour must still place, black's first, until its edges are joined by
/// stones side by side or a bridge apart: two points that have two empty neighbours in common, of
/// which the enemy can take only one. The edge counts as a row of stones. `hex_unreachable` for the
/// side that has lost.
[[nodiscard]] std::array<int, 2> hex_distances(const HexBoard& board,
                                               const std::array<Bitboard<384>, 2>& stones);

}  // namespace pitboss::games
