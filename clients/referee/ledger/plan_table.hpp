#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/referee/ledger/store.hpp"

/// What a ledger is to hold: its matches, and name, numbers of games and stopping rule. Private to
/// this folder.
namespace pitboss::clients {

/// In a store that several write to, no match gets fewer games than are planned already.
void write_plan(Store& store, const std::vector<std::string>& match_ids,
                const Experiment& experiment);
/// Without locations of the players. Throws UserError if the ledger is damaged.
[[nodiscard]] Experiment read_plan(Store& store);
/// Writes a match, unless it is there; then its number changes.
void write_match(Store& store, const std::string& id, std::int64_t number, const Match& match);
/// How the first match that the experiment lacks differs from its nearest one, as lines; empty if
/// it lacks none. Throws UserError if the ledger is damaged.
[[nodiscard]] std::string difference_to_plan(Store& store,
                                             const std::vector<std::string>& match_ids,
                                             const Experiment& experiment);
/// How the ledger's tuning differs from the experiment's, or that only one of them is a tuning, in
/// words and with what to do; empty if it does not. Throws UserError if the ledger is damaged.
[[nodiscard]] std::string difference_in_tuning(Store& store, const Experiment& experiment);
/// How the ledger's stopping rule differs from the experiment's, in words; empty if it does not. A
/// rule chosen when results are known proves nothing. Throws UserError if the ledger is damaged.
[[nodiscard]] std::string difference_in_rule(Store& store, const Experiment& experiment);

}  // namespace pitboss::clients
