#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "clients/experiments/statistics/intervals.hpp"

namespace pitboss::clients {

/// The rounds that scored a certain number of points.
struct ScoreClass {
  int twelfths = 0;  ///< of the round's points
  std::int64_t rounds = 0;
};

/// The scores of a match's rounds, seen by one player. A round is the games that share an opening,
/// one for each seating. Rounds are independent, the games of one round are not. Rounds of one game
/// give the trinomial distribution, rounds of two the pentanomial.
class Scores {
 public:
  /// Throws std::invalid_argument below 1. The classes are the possible sums of wins, draws and
  /// losses: 2n + 1 for n games a round, in rising order; other scores are added as they occur.
  explicit Scores(int games_per_round);

  /// Counts rounds that scored `twelfths`, of 12 a game. Throws std::invalid_argument if a round
  /// cannot score that much, or for a negative number of rounds.
  void add(int twelfths, std::int64_t rounds = 1);

  [[nodiscard]] int games_per_round() const { return games_per_round_; }
  [[nodiscard]] std::int64_t rounds() const { return rounds_; }
  [[nodiscard]] std::int64_t games() const { return rounds_ * games_per_round_; }
  [[nodiscard]] std::span<const ScoreClass> classes() const { return classes_; }
  /// The points per game of a round of the class, in [0, 1].
  [[nodiscard]] double score(const ScoreClass& of) const;
  /// Whether all rounds scored alike; true without rounds.
  [[nodiscard]] bool all_alike() const;

  /// Points per game; 1/2 without rounds.
  [[nodiscard]] double mean() const;
  /// Of a round's score per game, with divisor N; 0 without rounds.
  [[nodiscard]] double variance() const;
  /// Of the mean; 0 without rounds.
  [[nodiscard]] double standard_error() const;
  /// The 95 % interval of the mean, by the normal approximation, within [0, 1]. If all rounds
  /// scored alike, by the rule of three: fewer than -ln(0.05)/N of all rounds score otherwise, at
  /// worst 0 or 1. [0, 1] without rounds.
  [[nodiscard]] Interval interval() const;

  /// The same as the other player sees it.
  [[nodiscard]] Scores reversed() const;

 private:
  int games_per_round_;
  std::int64_t rounds_ = 0;
  std::vector<ScoreClass> classes_;
};

/// Rounds of one game for two players.
[[nodiscard]] Scores trinomial(std::int64_t wins, std::int64_t draws, std::int64_t losses);
/// Rounds of two games for two with colours swapped, by half points: two losses, ..., two wins.
[[nodiscard]] Scores pentanomial(const std::array<std::int64_t, 5>& pairs);

}  // namespace pitboss::clients
