#pragma once

#include <string>
#include <vector>

#include "clients/players/declarations.hpp"
#include "clients/referee/ledger/store.hpp"

/// A ledger's table of the engines' declarations (`Ledger::declarations`, `note`).
/// Private to this folder.
namespace pitboss::clients {

/// Reads the declarations of those matches with these ids that have games, or of all. Throws
/// UserError for a declaration that `Declaration` cannot have made.
[[nodiscard]] Declarations read_engines(Store& store, const std::vector<std::string>& match_ids,
                                        bool without_games);
/// Writes the declarations of those matches that have no games.
void note_engines(Store& store, const std::vector<std::string>& match_ids,
                  const Declarations& declared);

}  // namespace pitboss::clients
