#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pitboss::clients {

/// What `merge_ledgers` has done.
struct Merged {
  int added = 0;      ///< rounds
  int known = 0;      ///< rounds that were there already, move by move
  int differing = 0;  ///< rounds that were there already with other games: the first stay
};

/// Adds to the ledger of `target`, which is made if there is none, what the ledgers of the folders
/// `sources` hold, in that order. All is written in one transaction. Throws UserError, also for
/// a source that has no match in common with what came before.
Merged merge_ledgers(const std::filesystem::path& target,
                     const std::vector<std::filesystem::path>& sources);

}  // namespace pitboss::clients
