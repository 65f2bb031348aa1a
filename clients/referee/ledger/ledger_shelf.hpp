#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger_place.hpp"

namespace pitboss::clients {

class PostgresqlStore;

/// A ledger of a database, and a text that differs when its records may differ.
struct ShelvedLedger {
  DatabasePlace place;
  std::string version;
};

/// The ledgers of a database, looked at through one connection, as for a list of them. Not
/// thread-safe; all functions block and throw UserError; a database that is away, or silent for ten
/// seconds, is not waited for, and found again by the next call.
class LedgerShelf {
 public:
  /// Does not connect yet. With a name, that ledger alone.
  explicit LedgerShelf(DatabasePlace place);
  ~LedgerShelf();
  LedgerShelf(const LedgerShelf&) = delete;
  LedgerShelf& operator=(const LedgerShelf&) = delete;

  /// By name. Ledgers in the midst of being made are left out; those that cannot be read, as for
  /// want of rights, are not.
  [[nodiscard]] std::vector<ShelvedLedger> ledgers();

 private:
  [[nodiscard]] std::string version_of(const std::string& name);

  DatabasePlace place_;
  std::unique_ptr<PostgresqlStore> store_;
};

/// As `ShelvedLedger::version`, of a SQLite file, which need not exist. Opens nothing.
[[nodiscard]] std::string version_of_file(const std::filesystem::path& file);

}  // namespace pitboss::clients
