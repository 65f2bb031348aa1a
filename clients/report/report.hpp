#pragma once

#include <span>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// The report of an experiment as one self-contained HTML page: what was played, conclusions,
/// tables and charts. `games` are the recorded games of each match, in any order; those that the
/// results do not count are left out.
[[nodiscard]] std::string report_html(const Results& results, std::span<const Incident> incidents,
                                      std::span<const std::vector<PlayedGame>> games);

/// The conclusion from a match in a few sentences.
[[nodiscard]] std::string conclusion_of(const MatchResults& match);

}  // namespace pitboss::clients
