#pragma once

#include <optional>
#include <vector>

#include "engine/search/search.hpp"

namespace pitboss::engine {

/// The terms by which a search chooses a move of the position that a report is about: it takes the
/// one with the highest bound, `novelty_mix` + exploration, where N is MoveReport::novelty and Q
/// MoveReport::value (Novelty in MCTS, eqs. 9 and 10); without a novelty measure Q + exploration.
struct ChoiceTerms {
  std::optional<double> b{};            ///< weight of the novelty, in [0, 1]; only with a measure
  std::optional<double> exploration{};  ///< by the option `selection`
  std::optional<double> bound{};
};

/// Those of the next choice, for each move of a report, from what the report tells: results that
/// are still to come (threads, leaves in flight) are not in it. Nothing for a proven move, for the
/// bound of a move without samples, for a selection rule by priors without them, and if estimators
/// choose or moves are chosen by halves.
[[nodiscard]] std::vector<ChoiceTerms> choice_terms(const Report& report);

}  // namespace pitboss::engine
