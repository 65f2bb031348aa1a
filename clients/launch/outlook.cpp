#include "clients/launch/outlook.hpp"

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

Outlook::Outlook(const DatabasePlace& place)
    : place_(place),
      experiment_(read_experiment(place, Outage::is_failure)),
      results_(experiment_),
      known_(experiment_.matches.size()) {
  look();
}

void Outlook::look() {
  try {
    if (!ledger_) ledger_.emplace(place_, experiment_, Outage::is_failure);
    const auto is_known = [&](int match, int round) { return known_[match].contains(round); };
    for (PlayedRound& round : ledger_->played(is_known)) {
      const Match& match = experiment_.matches[round.match];
      if (round.round * match.round() >= match.games) continue;  // the plan has grown since
      if (!known_[round.match].insert(round.round).second) continue;
      results_.add(round.match, round.round, std::move(round.games));
    }
  } catch (const UserError&) {
    ledger_.reset();
    throw;
  }
}

}  // namespace pitboss::clients
