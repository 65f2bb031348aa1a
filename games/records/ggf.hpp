#pragma once

#include "games/records/sgf.hpp"

/// GGF, in which GGS and NBoard keep games of othello. It has SGF's brackets, but all moves in one
/// node: (;GM[Othello]PB[a]PW[b]TY[8]BO[8 -------- ... *]B[d3//1.2]W[c5];)
namespace pitboss::games {

/// Whether the game is one of GGF.
[[nodiscard]] bool is_ggf(const SgfGame& game);

/// The game as the nodes of an SGF record. Throws BadRecord for a board (BO) that is none.
[[nodiscard]] SgfGame sgf_of_ggf(const SgfGame& game);

}  // namespace pitboss::games
