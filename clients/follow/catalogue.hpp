#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/referee/ledger/ledger_shelf.hpp"

namespace pitboss::clients {

enum class FollowedKind : std::uint8_t { experiment, tuning, training };
/// "experiment".
[[nodiscard]] std::string_view name_of(FollowedKind kind);

/// Something that can be followed.
struct CatalogueEntry {
  std::string name;  ///< other than all others' in the catalogue
  FollowedKind kind;
  LedgerPlace place;    ///< of a tuning or training its folder
  std::string version;  ///< differs when its records may differ
};

/// What there is to follow at a place: the experiment, tuning or training in a folder, or all in
/// the folders below it, down to two levels; or the ledgers of a database. Not thread-safe.
class Catalogue {
 public:
  /// Throws UserError if there is no such folder; does not connect to a database.
  explicit Catalogue(const LedgerPlace& place);

  /// By name. Opens no ledger. Blocks; throws UserError if the place cannot be read now.
  [[nodiscard]] std::vector<CatalogueEntry> entries();

 private:
  LedgerPlace place_;
  std::unique_ptr<LedgerShelf> shelf_;
};

}  // namespace pitboss::clients
