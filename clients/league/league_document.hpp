#pragma once

#include <vector>

#include "clients/league/league.hpp"
#include "clients/results/document/document.hpp"

namespace pitboss::clients {

/// A league's page: for each game ratings, their history, cross table and openings; then what went
/// wrong, and who has played. `ratings` are by game. For programs the tables `ratings`, `history`,
/// `differences`, `cross` and `openings`.
[[nodiscard]] Document league_document(const std::vector<LeagueGame>& games,
                                       const std::vector<LeagueRatings>& ratings,
                                       const LedgerContents& contents);

/// The players of a game, the strongest first.
[[nodiscard]] DataTable league_table(const LeagueGame& game, const LeagueRatings& ratings,
                                     const Results& results);

}  // namespace pitboss::clients
