#pragma once

#include <cstddef>
#include <optional>
#include <vector>

/// Ratings of a league's players at one game, with fixed anchors.
namespace pitboss::clients {

/// Results of games between two players, seen by the one that moved first.
struct SeatTally {
  int first = 0;
  int second = 0;
  double wins = 0;
  double draws = 0;
  double losses = 0;
};

/// What is known of some players, who are numbers from 0.
struct LeagueGames {
  /// By player: the Elo of an anchor. At least one has it.
  std::vector<std::optional<double>> anchors;
  std::vector<SeatTally> tallies;
  /// False of a game for three or four colours, whose players share the seats: `wins` and `losses`
  /// are points then, and there are no draws.
  bool has_seats = true;

  [[nodiscard]] int players() const { return static_cast<int>(anchors.size()); }
};

/// The model is Bradley-Terry's with draws as in Rao-Kupper's, and an advantage of whoever moves
/// first: with f(x) = 1 / (1 + 10^(-x/400)), the first of two players of difference x wins with
/// probability f(x + seat - draw), and loses with f(-x - seat - draw).
struct LeagueRatings {
  std::vector<double> elo;
  double seat = 0;                  ///< Elo
  double draw = 0;                  ///< Elo; 0 while nothing was drawn
  std::vector<double> covariances;  ///< players x players, in square Elo; 0 of anchors

  [[nodiscard]] double covariance(int player, int other) const {
    return covariances[static_cast<std::size_t>(player) * elo.size() + other];
  }
  /// Half the 95 % interval of a player's rating; 0 of an anchor.
  [[nodiscard]] double error(int player) const;
};

/// The standard deviation of the normal priors: of ratings about their mean, which is not known
/// beforehand either, and of the other parameters about 0. So weak that it counts less than a game,
/// it keeps those finite who won or lost all, and says what is known of players without games. With
/// the anchors for a mean, many players would draw all ratings towards these.
inline constexpr double prior_elo = 1000;

/// The ratings of highest posterior probability, which is log-concave, by Newton's method, and
/// their covariances by the curvature there.
[[nodiscard]] LeagueRatings rate_league(const LeagueGames& games);

}  // namespace pitboss::clients
