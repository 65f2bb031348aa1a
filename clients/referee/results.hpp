#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/experiments/statistics/sprt.hpp"
#include "clients/players/declarations.hpp"
#include "clients/referee/standings.hpp"

namespace pitboss::clients {

/// The result of one match so far. It depends on the rounds added and not on their order.
///
/// With a stopping rule rounds count in the order of their numbers: a finished round waits for
/// earlier ones, and rounds after the decision do not count. So the result does not depend on how
/// many games are played at once.
class MatchResults {
 public:
  MatchResults(const Match& match, const std::optional<SprtPlan>& sprt);

  /// Adds all games of one round, numbered from 0. Throws std::logic_error for a round that was
  /// added before.
  void add(int round, std::vector<PlayedGame> games);

  [[nodiscard]] const Match& match() const { return *match_; }
  [[nodiscard]] const std::optional<SprtPlan>& sprt() const { return sprt_; }
  /// The standings after the rounds that count.
  [[nodiscard]] const Standings& standings() const { return standings_; }
  /// The log-likelihood ratio of the rounds that count; nothing without a stopping rule, or where
  /// breakdowns decide.
  [[nodiscard]] std::optional<double> llr() const;
  /// Undecided without a stopping rule.
  [[nodiscard]] SprtVerdict verdict() const { return verdict_; }
  /// Whether nothing is left to play.
  [[nodiscard]] bool is_over() const {
    return verdict_ != SprtVerdict::undecided || standings_.games() >= match_->games ||
           match_->is_retired || is_given_up();
  }
  /// Whether the other games would be lost by breakdowns, too.
  [[nodiscard]] bool is_given_up() const { return standings_.breakdowns().are_enough(); }
  /// Whether a round counts, or will count once the rounds before it are finished.
  [[nodiscard]] bool counts(int round) const {
    return verdict_ == SprtVerdict::undecided || round < next_round_;
  }
  /// The finished games that do not count, since their rounds come after the decision.
  [[nodiscard]] int games_beyond() const { return games_beyond_; }
  /// The share of a processor that the threads of a player's searches got, which says how much they
  /// could do before their time was over: nothing if time does not bound them, if its engines do
  /// not tell, or if other machines evaluate its positions.
  [[nodiscard]] std::optional<double> processor_share(int player) const;
  /// Whether the players got unlike shares: one less than `least_share` of the other's.
  [[nodiscard]] bool has_unlike_shares() const;
  /// Whether a player got less than `least_share` of a processor: its time was worth less than its
  /// limits say, also where the other's was worth as little.
  [[nodiscard]] bool has_short_shares() const;
  static constexpr double least_share = 0.75;
  /// What the players' engines said of themselves; nothing for an engine that nobody has asked.
  [[nodiscard]] const std::array<std::optional<Declaration>, 2>& declared() const {
    return declared_;
  }
  void set_declared(std::array<std::optional<Declaration>, 2> declared) {
    declared_ = std::move(declared);
  }

 private:
  const Match* match_;
  std::optional<SprtPlan> sprt_;
  Standings standings_;
  SprtVerdict verdict_ = SprtVerdict::undecided;
  int next_round_ = 0;
  int games_beyond_ = 0;
  std::set<int> added_;
  std::map<int, std::vector<PlayedGame>> waiting_;
  std::array<std::optional<Declaration>, 2> declared_;
};

/// The results of all matches of an experiment so far.
class Results {
 public:
  /// The experiment must outlive the results.
  explicit Results(const Experiment& experiment);
  /// Throws as MatchResults::add does, and std::out_of_range if there is no such match.
  void add(int match, int round, std::vector<PlayedGame> games);
  /// One entry for each match.
  void set_declared(const Declarations& declared);

  [[nodiscard]] const Experiment& experiment() const { return *experiment_; }
  /// By match, in the order of the experiment.
  [[nodiscard]] const std::vector<MatchResults>& matches() const { return matches_; }
  [[nodiscard]] int games() const;  ///< the number of games that count
  [[nodiscard]] int forfeits() const;
  [[nodiscard]] bool is_over() const;
  /// Whether a match is over since it would be lost by breakdowns.
  [[nodiscard]] bool has_given_up() const;

 private:
  const Experiment* experiment_;
  std::vector<MatchResults> matches_;
};

}  // namespace pitboss::clients
