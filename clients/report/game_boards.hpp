#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clients/referee/results.hpp"
#include "clients/report/markup.hpp"

/// The part of the report on which games are stepped through. The page has no rules of games: for
/// each ply the report says which points have changed.
namespace pitboss::clients {

/// With more bytes of games than that the report has the first games of each match only.
inline constexpr std::size_t most_bytes_of_games = 2'000'000;

/// The games of each match that can be seen, by number, as JSON for the script of the page
/// (game_viewer.js says what it reads). Games whose moves are not legal are left out.
struct GameBoards {
  std::string json;
  std::vector<int> shown;  ///< games of each match
};
[[nodiscard]] GameBoards game_boards(const Results& results,
                                     const std::vector<std::vector<PlayedGame>>& games,
                                     std::size_t most_bytes = most_bytes_of_games);

/// The section with the board, the games, and the script that steps through them.
[[nodiscard]] Markup games_section(const Results& results, const GameBoards& boards);

/// A link to the games of a match (counted from 0): all, or those that its first player `how`
/// ("won", "drawn", "lost"). Only the text where there are none.
[[nodiscard]] Markup games_link(int match, const std::string& how, int count);

}  // namespace pitboss::clients
