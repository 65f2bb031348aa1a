#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"

/// Ratings of a league's players at one game, with fixed anchors.
namespace pitboss::clients {

/// How games went, for one of two players. In games for three and four colours, whose players share
/// the seats, `wins` and `losses` are points, and there are no draws.
struct Outcomes {
  double wins = 0;
  double draws = 0;
  double losses = 0;
};

/// Rounds of two players that went alike. The games of a round share an opening.
struct RoundTally {
  int player = 0;
  int opponent = 0;
  Outcomes first;   ///< the player's, where it moved first; all where seats are shared
  Outcomes second;  ///< the player's, where the opponent moved first
  double rounds = 1;
};

/// What is known of some players, who are numbers from 0.
struct LeagueGames {
  /// By player: the Elo of an anchor. At least one has it.
  std::vector<std::optional<double>> anchors;
  std::vector<RoundTally> rounds;
  bool has_seats = true;  ///< false of a game for three or four colours

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
  /// How much the players' scores in rounds vary, beside what the model has for games that are
  /// independent: below 1 where openings favour whoever moves first, or second.
  double dispersion = 1;

  [[nodiscard]] double covariance(int player, int other) const {
    return covariances[static_cast<std::size_t>(player) * elo.size() + other];
  }
  /// Half the 95 % interval of a player's rating; 0 of an anchor.
  [[nodiscard]] double error(int player) const;
  /// How far the player is ahead of the other, with the 95 % interval, which is narrower than those
  /// of the two ratings suggest.
  [[nodiscard]] EloEstimate difference(int player, int other) const;
  /// The likelihood of superiority: the probability that the player is stronger than the other.
  [[nodiscard]] double superiority(int player, int other) const;

 private:
  [[nodiscard]] double deviation(int player, int other) const;  // of the difference
};

/// What a game tells of the lead of a player, whose seat is included, by Fisher: an inverse
/// variance. All in units of log odds.
[[nodiscard]] double information_of_game(double lead, double draw);

/// The standard deviation of the normal priors: of ratings about their mean, which is not known
/// beforehand either, and of the other parameters about 0. So weak that it counts less than a game,
/// it keeps those finite who won or lost all, and says what is known of players without games. With
/// the anchors for a mean, many players would draw all ratings towards these.
inline constexpr double prior_elo = 1000;

/// The ratings of highest posterior probability, which is log-concave, by Newton's method. Their
/// covariances follow from the curvature there and from how much the scores of rounds vary (the
/// sandwich estimator): the games of a round, which share an opening, need not be independent. A
/// pair's own rounds count as far as they are many, else those of all pairs, else the model.
[[nodiscard]] LeagueRatings rate_league(const LeagueGames& games);

}  // namespace pitboss::clients
