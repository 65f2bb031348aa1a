#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "clients/experiments/statistics/intervals.hpp"

namespace pitboss::clients {

/// The rounds that brought a certain score.
struct ScoreClass {
  int twelfths = 0;  ///< of the round's points
  std::int64_t rounds = 0;
};

/// How the rounds of a match were scored, seen by one player. A round is the games that share an
/// opening, one for each seating; the games of a round are not independent, the rounds are. Rounds
/// of one game make this the trinomial distribution, rounds of two the pentanomial.
class Scores {
 public:
  /// Throws std::invalid_argument below 1. The classes are those of games won, drawn and lost:
  /// 2n + 1 for n games a round, in rising order; others join them as they occur.
  explicit Scores(int games_per_round);

  /// Counts rounds that have earned so many twelfths, of 12 a game. Throws std::invalid_argument if
  /// a round does not have so many, or for a negative number of rounds.
  void add(int twelfths, std::int64_t rounds = 1);

  [[nodiscard]] int games_per_round() const { return games_per_round_; }
  [[nodiscard]] std::int64_t rounds() const { return rounds_; }
  [[nodiscard]] std::int64_t games() const { return rounds_ * games_per_round_; }
  [[nodiscard]] std::span<const ScoreClass> classes() const { return classes_; }
  /// The points of a game that a round of the class is worth, in [0, 1].
  [[nodiscard]] double score(const ScoreClass& of) const;
  /// Whether all rounds scored alike; true without rounds.
  [[nodiscard]] bool all_alike() const;

  /// Points per game; 1/2 without rounds.
  [[nodiscard]] double mean() const;
  /// Of a round's score, with divisor N; 0 without rounds.
  [[nodiscard]] double variance() const;
  /// Of the mean; 0 without rounds.
  [[nodiscard]] double standard_error() const;
  /// The 95 % interval of the mean, by the normal approximation, within [0, 1]. If all rounds
  /// scored alike, by the rule of three instead: fewer than -ln(0.05)/N of the rounds to come will
  /// score otherwise, at worst 0 or 1. [0, 1] without rounds.
  [[nodiscard]] Interval interval() const;

  /// The same as the other player sees it.
  [[nodiscard]] Scores reversed() const;

 private:
  int games_per_round_;
  std::int64_t rounds_ = 0;
  std::vector<ScoreClass> classes_;
};

/// Games for two by themselves.
[[nodiscard]] Scores trinomial(std::int64_t wins, std::int64_t draws, std::int64_t losses);
/// Pairs of games for two with colours swapped, by half points: two losses, ..., two wins.
[[nodiscard]] Scores pentanomial(const std::array<std::int64_t, 5>& pairs);

}  // namespace pitboss::clients
