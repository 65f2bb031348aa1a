#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clients/experiments/statistics/crosstable.hpp"
#include "clients/experiments/statistics/scores.hpp"
#include "clients/tuning/method.hpp"

/// How one of several candidates is chosen.
namespace pitboss::clients {

/// Options with the scores that they had, in rounds.
struct Candidate {
  Values values;
  Scores scores;
  bool is_dropped = false;

  /// Of the mean score: as if one more round had scored half a point a game off. 0 without rounds,
  /// where the score of 1/2 is no measurement: the base's against itself.
  [[nodiscard]] double standard_error() const;
};

/// The one-sided quantile of the normal distribution at which none of `tests` independent tests
/// errs with probability 1 - `error` (Sidak).
[[nodiscard]] double corrected_quantile(double error, int tests);

/// Whether the score of `a` exceeds that of `b` by more than so many standard errors of the
/// difference.
[[nodiscard]] bool is_better(const Candidate& a, const Candidate& b, double quantile);

/// The share of each player in the stationary distribution of alpha-Rank (Omidshafiei et al. 2019;
/// one population of 50, ranking intensity 1): who beats only the weak has little. All have met.
[[nodiscard]] std::vector<double> alpha_rank(const Crosstable& table);

struct ComparisonSettings {
  enum class Rule : std::uint8_t {
    published,  ///< the candidate with the best score against the opponents, the first of equals
    /// All candidates and the player as it was meet each other (TAG's pipeline). The first by
    /// alpha-Rank wins, if it leads the player as it was by more than a corrected 20 % quantile.
    tournament
  };
  Rule rule = Rule::published;
  std::int64_t games = 1000;  ///< of each candidate
};

/// Throws UserError if the games are not enough for all seatings against each opponent, or in a
/// tournament of the candidates of so many runs against each other.
void check(const ComparisonSettings& settings, int runs, const Conditions& conditions);

/// The comparison of the runs' candidates. All meet their opponents from the same openings.
class FinalComparison : public Method {
 public:
  FinalComparison(const std::vector<Values>& candidates, Conditions conditions,
                  const ComparisonSettings& settings);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;
  [[nodiscard]] std::vector<std::string> remarks() const override;

  /// Distinct ones; in a tournament the player as it was is the last.
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  struct Meeting {
    int first;
    int second;  ///< a candidate or an opponent
  };
  [[nodiscard]] bool is_tournament() const {
    return settings_.rule == ComparisonSettings::Rule::tournament;
  }
  [[nodiscard]] int best() const;

  Conditions conditions_;
  ComparisonSettings settings_;
  std::vector<Candidate> candidates_;
  std::vector<Meeting> meetings_;  // of one opening
  Crosstable table_;
  std::int64_t openings_;
  std::int64_t made_ = 0;
  std::int64_t learned_ = 0;
};

struct DeviationSettings {
  std::int64_t games = 0;  ///< in all
  int rounds = 4;
};

/// Throws UserError if the games are not enough for all deviations in all rounds.
void check(const DeviationSettings& settings, const SearchSpace& space,
           const Conditions& conditions);

/// TAG's last stage: all options that differ from the base in one parameter (any other value of a
/// list; a range's step up and down) play in rounds, each from the same openings, and with them the
/// base, unless they play against it. After each round those worse than the best at a corrected 1 %
/// are dropped; of those better than the base at 10 %, any two that change different parameters
/// make a new candidate. The answer is the candidate with the best lower bound among those better
/// than the base at 5 %; else the base.
class OneStepDeviations : public Method {
 public:
  OneStepDeviations(const SearchSpace& space, const Values& base, Conditions conditions,
                    const DeviationSettings& settings);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;
  [[nodiscard]] std::vector<std::string> remarks() const override;

  /// The base, then the others: a table of how much each change costs.
  [[nodiscard]] const std::vector<Candidate>& candidates() const { return candidates_; }

 private:
  [[nodiscard]] bool plays_against_base() const { return conditions_.opponents == 0; }
  [[nodiscard]] int alive() const;
  void begin_round();
  void end_round();
  void combine();

  Conditions conditions_;
  std::vector<Candidate> candidates_;
  std::int64_t games_left_;
  int rounds_left_;
  int next_opening_ = 0;
  struct Task {
    int candidate;
    int opening;
  };
  std::vector<Task> tasks_;  // of this round
  std::size_t made_ = 0;
  std::size_t learned_ = 0;
};

}  // namespace pitboss::clients
