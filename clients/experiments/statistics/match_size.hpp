#pragma once

#include "clients/experiments/statistics/scores.hpp"
#include "clients/experiments/statistics/sprt.hpp"

/// How many games a question takes, before any is played. All is by the normal approximation, and
/// for any number of games a round: rounds count by the deviation of one game that they come to.
namespace pitboss::clients {

/// The standard deviation of a game's score, of a player that scores `score` on average, if this
/// share of the games is drawn. Throws std::invalid_argument if no games are like that.
[[nodiscard]] double deviation_of_game(double score, double draws);
/// The same of played rounds. Games that share an opening are more alike in sum than others, so
/// that pairs mostly come to less than their games apart. 0 if all rounds scored alike.
[[nodiscard]] double deviation_of_game(const Scores& rounds);

/// Games after which the 95 % interval of the logistic Elo is `error` to either side, for a player
/// that scores `score`, in (0, 1).
[[nodiscard]] double games_for_error(double score, double deviation, double error);

/// Games after which this share of all matches, above 1/2, has a 95 % interval that leaves 0 Elo
/// out, for a player that scores `score`, not 1/2.
[[nodiscard]] double games_for_power(double score, double deviation, double power);

struct TestLength {
  double games;         ///< on average
  double accepts_elo1;  ///< probability
};

/// How a test ends for a player that scores `score`, without the part of a round by which a test
/// goes beyond its bounds (Wald 1947). The plan must pass `check`, its model be normalized or
/// logistic, and the deviation above 0.
[[nodiscard]] TestLength expected_length(const SprtPlan& plan, double score, double deviation);

}  // namespace pitboss::clients
