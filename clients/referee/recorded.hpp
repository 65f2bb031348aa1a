#pragma once

#include <vector>

#include "clients/referee/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// What a ledger holds of an experiment, read once.
struct Recorded {
  std::vector<PlayedRound> played;  ///< by match and number
  std::vector<Incident> incidents;
  Results results;

  /// The games of each match that count, by number.
  [[nodiscard]] std::vector<std::vector<GameRecord>> games() const;
};

/// Throws UserError if rounds and games do not fit together (`Ledger::faults`), a round is not
/// whole, or more was played than the experiment has.
[[nodiscard]] Recorded read_recorded(const Ledger& ledger, const Experiment& experiment);
/// The same of a ledger that has been read so, and that only referees have written since: what they
/// write fits together.
[[nodiscard]] Recorded read_again(const Ledger& ledger, const Experiment& experiment);

}  // namespace pitboss::clients
