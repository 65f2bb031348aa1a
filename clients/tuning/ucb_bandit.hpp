#pragma once

#include <cstdint>

#include "clients/tuning/bandit.hpp"
#include "clients/tuning/method.hpp"

namespace pitboss::clients {

struct UcbSettings {
  std::int64_t games = 10'000;
  double factor = 1.4;  ///< on UCB1-Tuned's exploration term; Auer et al. have 1
};

/// The papers' tuner of one parameter (Novelty in MCTS, appendix A): UCB1-Tuned over its values. A
/// sample is the mean score against all opponents in all seatings; each value is tried once first.
/// The answer is the value with the most samples, the first of equals. In self-play the opponent is
/// the player as it was.
class UcbBandit : public Method {
 public:
  /// Throws UserError unless the space is one list of values, and the games are enough for each.
  UcbBandit(SearchSpace space, Conditions conditions, const UcbSettings& settings);

  [[nodiscard]] std::optional<Proposal> propose() override;
  void learn(const Outcome& outcome) override;
  [[nodiscard]] std::vector<Values> recommended() const override;

  /// The values' statistics, by their place in the list.
  [[nodiscard]] const Bandit& bandit() const { return bandit_; }

 private:
  SearchSpace space_;
  Conditions conditions_;
  std::int64_t samples_;
  Bandit bandit_;
  std::vector<std::int64_t> begun_;  // the arm of each sample
  std::size_t learned_ = 0;
};

}  // namespace pitboss::clients
