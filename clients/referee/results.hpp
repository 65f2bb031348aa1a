#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "clients/referee/experiment.hpp"
#include "clients/referee/standings.hpp"

namespace pitboss::clients {

/// What one match amounts to so far. It depends on the rounds added and not on their order.
///
/// With a stopping rule the rounds count in order of their numbers: one that was finished before an
/// earlier one waits, and those after the decision do not count at all. So the result is the same
/// however many games were played at once.
class MatchResults {
 public:
  MatchResults(const Match& match, const std::optional<SprtPlan>& sprt);

  /// All games of one round, in order.
  void add(int round, std::vector<GameRecord> games);

  [[nodiscard]] const Match& match() const { return *match_; }
  /// Of the rounds that count.
  [[nodiscard]] const Standings& standings() const { return standings_; }
  /// The log-likelihood ratio of the rounds that count.
  [[nodiscard]] std::optional<double> llr() const;
  /// Undecided without a stopping rule.
  [[nodiscard]] SprtVerdict decision() const { return decision_; }
  /// Nothing is left to play.
  [[nodiscard]] bool is_over() const;
  /// Games that were finished after the decision.
  [[nodiscard]] int games_beyond() const;

 private:
  void count(std::vector<GameRecord> round);

  const Match* match_;
  std::optional<SprtPlan> sprt_;
  Standings standings_;
  SprtVerdict decision_ = SprtVerdict::undecided;
  int next_round_ = 0;
  std::map<int, std::vector<GameRecord>> waiting_;
};

/// What an experiment amounts to so far.
class Results {
 public:
  explicit Results(const Experiment& experiment);
  void add(int match, int round, std::vector<GameRecord> games);

  [[nodiscard]] const Experiment& experiment() const { return *experiment_; }
  /// In the order of the experiment.
  [[nodiscard]] const std::vector<MatchResults>& matches() const { return matches_; }
  [[nodiscard]] int games() const;  ///< that count
  [[nodiscard]] int forfeits() const;
  [[nodiscard]] bool is_over() const;

 private:
  const Experiment* experiment_;
  std::vector<MatchResults> matches_;
};

}  // namespace pitboss::clients
