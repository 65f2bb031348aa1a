#pragma once

#include <optional>
#include <vector>

namespace pitboss::clients {

/// Wins and draws between players. The parameters r_i and d >= 0, in units of log odds, maximise
///   log-likelihood = sum over i, j of wins(i, j) ln f(r_i - r_j - d) + draws ln(e^2d - 1)
/// with f(x) = 1 / (1 + e^-x). Bradley-Terry is d = 0 without draws; in Rao-Kupper's model a draw
/// counts as a win of each player, and once as a draw.
struct PairedComparisons {
  int players = 0;
  std::vector<double> wins;    ///< players x players
  double draws = 0;            ///< more than 0 only if d is
  std::optional<double> draw;  ///< d; fitted if none
  /// By player. In each component the mean of r is 0, and from each of its players a chain of wins
  /// leads to each other one; between components nothing is won.
  std::vector<int> component;
};

struct PairedFit {
  std::vector<double> ratings;
  double draw = 0;
  double log_likelihood = 0;
  /// Of the ratings, players x players: the inverse of the Fisher information, seen from the
  /// component's mean.
  std::vector<double> covariances;
};

/// The log-likelihood is concave, in d too; Newton's method finds the maximum that Hunter's MM
/// algorithm (2004) converges to. If d is fitted there must be draws and more wins than theirs.
[[nodiscard]] PairedFit maximise(const PairedComparisons& comparisons);

}  // namespace pitboss::clients
