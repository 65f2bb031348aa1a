#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "games/any_game.hpp"

/// What the page needs to step through games, whose rules it does not know (page/report_games.ts).
namespace pitboss::clients {

/// The rows of the board, from the top, as `position` writes them.
[[nodiscard]] std::string board_rows(const games::AnyGame& game);

/// The board as `geometry` tells it, without what only learners read.
[[nodiscard]] nlohmann::ordered_json board_json(const games::AnyGame& game);

/// The moves from a position, as an object of texts: `movers`, the place of each one's colour;
/// `moves`; `changes`, for each ply the points that differ, each with what is on it then; at a
/// game's end `decisive`, the points that have decided it. Throws BadGame if a move is not legal.
[[nodiscard]] nlohmann::ordered_json replay_json(const games::AnyGame& start,
                                                 std::span<const std::string> moves);

/// The JSON text in a form that can stand inside a script element.
[[nodiscard]] std::string script_text(const nlohmann::ordered_json& json);

}  // namespace pitboss::clients
