#pragma once

#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// Replays a recorded game by the rules of `games`. Returns a sentence about its fault, or an empty
/// text. Seats and opening must be the match's, every move must be legal and written as
/// `AnyGame::canonical` writes it, and the result must follow from the rules or the reason: where a
/// solver ended the game it must prove the result again, unless there is none here.
[[nodiscard]] std::string fault_in(const Match& match, const PlayedGame& record);

/// A sentence for each recorded game with a fault and each incomplete round.
[[nodiscard]] std::vector<std::string> faults_in(const Experiment& experiment,
                                                 const std::vector<PlayedRound>& played);

/// A sentence for each match with results that a solver has proven, for which there is none here.
[[nodiscard]] std::vector<std::string> unproven_in(const Experiment& experiment,
                                                   const std::vector<PlayedRound>& played);

}  // namespace pitboss::clients
