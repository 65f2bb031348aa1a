#pragma once

#include <array>
#include <vector>

#include "clients/league/league_ratings.hpp"

/// Rounds for tests of leagues.
namespace pitboss::clients {

/// A game's result for one player.
inline constexpr std::array<Outcomes, 3> game_results{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Adds so many rounds of two games in which the player scores as often so, where it moves first
/// and where it moves second; the games of a round are independent.
inline void add_rounds(LeagueGames& to, int player, int opponent, const Outcomes& first,
                       const Outcomes& second, double rounds) {
  const auto share = [](const Outcomes& of, std::size_t result) {
    const std::array<double, 3> counts{of.wins, of.draws, of.losses};
    return counts[result] / (of.wins + of.draws + of.losses);
  };
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double count = rounds * share(first, i) * share(second, j);
      if (count == 0) continue;
      to.rounds.push_back({player, opponent, game_results[i], game_results[j], count});
    }
  }
}

}  // namespace pitboss::clients
