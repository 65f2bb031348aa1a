#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// A game of a tuning that is on record: the options of both sides, "k=0.1 alpha=2" (empty: an
/// opponent, which is not tuned), and the first side's share of the point.
struct TriedGame {
  std::string options;
  std::string against;
  double share;
};

/// The games of a tuning's plan and rounds on record, in the order in which their openings were
/// proposed, whatever the order in which they ended: those of the method first. Of a race in the
/// order in which the candidates entered it.
[[nodiscard]] std::vector<TriedGame> tried_games(const Experiment& plan,
                                                 std::span<const PlayedRound> rounds);

/// A parameter's value in a side's options; "-" if they have none.
[[nodiscard]] std::string value_in(const std::string& options, const std::string& parameter);

}  // namespace pitboss::clients
