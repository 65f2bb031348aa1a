#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/referee/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// A page about an experiment, in one file that needs no other: what was played, what follows from
/// it, and the plots. `games` are the recorded games of each match, in any order; those that the
/// results do not count are left out.
[[nodiscard]] std::string report_html(const Results& results, std::span<const Incident> incidents,
                                      std::span<const std::vector<GameRecord>> games);

/// What may be said of a match, in a sentence or a few.
[[nodiscard]] std::string conclusion_of(const MatchResults& match);

}  // namespace pitboss::clients
