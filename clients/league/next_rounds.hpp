#pragma once

#include <vector>

#include "clients/league/league_ratings.hpp"

namespace pitboss::clients {

/// The players of a league at one game, from whom those who meet next are chosen.
struct LeaguePool {
  LeagueRatings ratings;
  std::vector<bool> plays;  ///< by player: may be chosen
  /// By player: whether its variance counts; that of no other one is to be lowered.
  std::vector<bool> counts;
  int games_a_round = 2;
};

/// A round that should be played next.
struct NextRound {
  int pool = 0;
  int player = 0;
  int opponent = 0;
};

/// The rounds that shorten the intervals most: each is the one that lowers the sum of the variances
/// of all who count, in all pools, by the most for each of its games, as is expected from ratings
/// and covariances, and after the rounds chosen before it. Of players whom no games connect the
/// prior makes the variances large, so that they meet first. No rounds if nobody who counts can be
/// told better.
[[nodiscard]] std::vector<NextRound> next_rounds(const std::vector<LeaguePool>& pools, int rounds);

}  // namespace pitboss::clients
