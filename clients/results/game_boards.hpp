#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clients/referee/ledger_contents.hpp"
#include "clients/referee/results.hpp"

/// The part of the report in which readers step through games. The page does not know the rules:
/// for each ply the report lists the points that have changed.
namespace pitboss::clients {

/// If all games take more bytes, the report has only the first games of each match.
inline constexpr std::size_t most_bytes_of_games = 2'000'000;

/// The games of each match that the page shows, by number, as JSON for its script
/// (page/report_games.ts describes it). Games with an illegal move are left out.
struct GameBoards {
  std::string json;
  std::vector<int> shown;  ///< by match: how many games are shown
};
[[nodiscard]] GameBoards game_boards(const Results& results,
                                     const std::vector<std::vector<PlayedGame>>& games,
                                     std::size_t most_bytes = most_bytes_of_games);

/// The newest games of each match for a page that asks for each game that is shown, as JSON: as
/// `GameBoards::json`, but of a game only what a list shows.
[[nodiscard]] std::string games_list(const LedgerContents& contents);
/// The game for such a page as JSON; empty if a move is not legal.
[[nodiscard]] std::string replayed_game(const Match& match, const PlayedGame& game);

}  // namespace pitboss::clients
