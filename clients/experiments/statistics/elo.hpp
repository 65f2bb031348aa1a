#pragma once

#include <cstdint>
#include <numbers>
#include <optional>

#include "clients/experiments/statistics/scores.hpp"

/// Differences of playing strength. A difference that the data leave unbounded has no number, never
/// an infinite one.
namespace pitboss::clients {

/// Elo points in one unit of log odds.
inline constexpr double elo_scale = 400.0 / std::numbers::ln10;

/// The expected score of a player that is `elo` stronger.
[[nodiscard]] double score_of(double elo);
/// The difference at which `score` is expected; none outside (0, 1).
[[nodiscard]] std::optional<double> elo_of(double score);

/// A difference with its 95 % interval; an unbounded or undefined number is missing.
struct EloEstimate {
  std::optional<double> elo;
  std::optional<double> low;
  std::optional<double> high;

  /// The "+-" of reports: half the interval's width. The interval is not symmetric.
  [[nodiscard]] std::optional<double> error() const;
};

/// Logistic Elo of the mean score and of the ends of `Scores::interval`. A player that has won all
/// games has a lower bound only, one that has lost all an upper bound only; one that has won almost
/// all or lost almost all likewise, if there are ten rounds, else none.
[[nodiscard]] EloEstimate elo_estimate(const Scores& scores);

/// Normalized Elo (Van den Bergh): (mean - 1/2) / (standard deviation of a game) * 800/ln 10. It
/// determines how many games show a difference, whatever the share of draws. Undefined if all
/// rounds scored alike.
[[nodiscard]] EloEstimate normalized_elo_estimate(const Scores& scores);
/// The "+-" of normalized Elo after `games` games, at least 1; depends on nothing else.
[[nodiscard]] double normalized_elo_error(std::int64_t games);

/// Likelihood of superiority: the probability that the expected score is above 1/2, by the normal
/// approximation. If all N rounds scored alike: 1 - 2^-(N+1) above 1/2 (Laplace's rule), 2^-(N+1)
/// below; 1/2 at 1/2 and without rounds.
[[nodiscard]] double superiority(const Scores& scores);
/// The probability that a normal variable of this mean and standard deviation (above 0) is
/// positive.
[[nodiscard]] double probability_positive(double mean, double deviation);

}  // namespace pitboss::clients
