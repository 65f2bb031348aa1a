#pragma once

#include <string>
#include <vector>

#include "clients/experiment/experiment.hpp"
#include "clients/referee/ledger.hpp"

namespace pitboss::clients {

/// What is wrong with one game of a match, as a sentence; empty if nothing is. It is played again
/// by our rules: seats and opening must be the match's, every move legal and written as we write
/// it, the result what the rules or the reason say.
[[nodiscard]] std::string fault_in(const Match& match, const GameRecord& record);

/// What is wrong with the records of an experiment, a sentence for each game that is not sound or
/// round that is not whole.
[[nodiscard]] std::vector<std::string> faults_in(const Experiment& experiment,
                                                 const std::vector<PlayedRound>& played);

}  // namespace pitboss::clients
