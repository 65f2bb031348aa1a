#pragma once

#include <string_view>

#include "games/records/sgf.hpp"

/// PSQ, in which Piskvork keeps games of gomoku: a line "Piskvorky 15x15, 11:11, 0", a line
/// "COLUMN,ROW,MILLISECONDS" for each move, black's first, from 1 in the upper left corner, a line
/// "-1", then the names of both players and what else the version of Piskvork writes.
namespace pitboss::games {

/// Whether the text is one of PSQ.
[[nodiscard]] bool is_psq(std::string_view text);

/// The game as the nodes of an SGF record. Throws BadRecord for a text that is not PSQ.
[[nodiscard]] SgfGame read_psq(std::string_view text);

}  // namespace pitboss::games
