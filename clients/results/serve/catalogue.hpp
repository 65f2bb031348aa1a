#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/ledger/ledger_shelf.hpp"
#include "clients/results/serve/followed.hpp"

namespace pitboss::clients {

/// A run that can be followed.
struct CatalogueEntry {
  std::string name;  ///< other than all others' in the catalogue
  RunKind kind;
  LedgerPlace place;
  std::string version;  ///< differs when its records may differ
};

/// What there is to follow at a place: the run in a folder, or all runs in the folders below it,
/// down to two levels, each with those in its own folders, as a tuning's fresh match; or the
/// ledgers of a database. Not thread-safe.
class Catalogue {
 public:
  /// Throws UserError if there is no such folder; does not connect to a database.
  /// A folder is of the first of `kinds` that it can be.
  Catalogue(const LedgerPlace& place, std::vector<RunKind> kinds);

  /// By name. Opens no ledger. Blocks; throws UserError if the place cannot be read now.
  [[nodiscard]] std::vector<CatalogueEntry> entries();

 private:
  [[nodiscard]] std::optional<CatalogueEntry> entry_at(const std::filesystem::path& folder,
                                                       const std::string& name) const;
  void add_below(const std::filesystem::path& folder, const std::string& prefix, int depth,
                 std::vector<CatalogueEntry>& out) const;

  LedgerPlace place_;
  std::vector<RunKind> kinds_;
  std::unique_ptr<LedgerShelf> shelf_;
};

}  // namespace pitboss::clients
