#pragma once

#include <cstdint>
#include <vector>

#include "clients/tuning/bandit.hpp"
#include "clients/tuning/method.hpp"

namespace pitboss::clients {

/// A combination: the place of each parameter's value in its list.
using Places = std::vector<int>;

/// The papers' model of many parameters (Novelty in MCTS, appendix A): a bandit for each parameter,
/// for each pair, and for all of them together, which only predicts.
class NTupleModel {
 public:
  /// `sizes` are the numbers of values of the parameters.
  NTupleModel(std::vector<int> sizes, double factor);

  /// By the single parameters' bandits or, as likely, those of pairs: a random parameter that has
  /// no value yet gets it, with its partner, from a random bandit that sets no value again; what is
  /// left over is set by its own bandit.
  [[nodiscard]] Places choose(games::Random& random) const;
  void begin(const Places& places);
  void learn(const Places& places, double score);
  /// The mean over all bandits of the arms' means.
  [[nodiscard]] double predicted(const Places& places) const;
  /// The combination with the highest prediction among those begun, the first of equals; empty
  /// before.
  [[nodiscard]] Places recommended() const;

  struct Tuple {
    std::vector<int> parameters;  ///< in rising order
    Bandit bandit;
  };
  [[nodiscard]] const std::vector<Tuple>& tuples() const { return tuples_; }
  /// The number of an arm of the tuple's bandit.
  [[nodiscard]] std::int64_t arm_of(const Tuple& tuple, const Places& places) const;

 private:
  void fill(Places& places, const Tuple& tuple, games::Random& random) const;

  std::vector<int> sizes_;
  std::vector<Tuple> tuples_;
  std::vector<Places> seen_;  // distinct, in order of appearance
};

struct NTupleSettings {
  int runs = 8;
  std::int64_t games_per_run = 3000;
  double factor = 2;  ///< on UCB1-Tuned's exploration term
};

/// Independent runs of the N-tuple bandit. A sample is the mean score against all opponents in all
/// seatings; in self-play the opponent is the player as it was. Each run recommends a candidate;
/// `FinalComparison` chooses among them.
class NTupleRuns : public Method {
 public:
  /// Throws UserError unless all parameters are lists of values, and the games of a run are enough
  /// for each value of the longest list.
  NTupleRuns(SearchSpace space, Conditions conditions, const NTupleSettings& settings);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;

 private:
  SearchSpace space_;
  Conditions conditions_;
  std::size_t samples_per_run_;
  std::vector<NTupleModel> models_;
  std::vector<Places> begun_;
  std::size_t learned_ = 0;
};

}  // namespace pitboss::clients
