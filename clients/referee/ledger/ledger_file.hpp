#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "clients/experiments/experiment.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"

/// A ledger's SQLite file: opens and checks it, and holds what concerns the experiment as a whole.
/// Private to this folder, since it shows SQLite.
namespace pitboss::clients {

[[nodiscard]] UserError ledger_failure(const std::string& what, const std::filesystem::path& path,
                                       const std::string& why);

/// Runs `work`, which reads or writes the ledger in `path`; turns SQLite's failures into
/// UserErrors.
template <class Work>
auto with_ledger(const char* what, const std::filesystem::path& path, Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    throw ledger_failure(what, path, e.what());
  }
}

/// The name by which SQLite opens a ledger: its path, or, for a read-only file without a log, a URI
/// that says so.
[[nodiscard]] std::string ledger_name(const std::filesystem::path& path);
/// The flags for reading a ledger. They allow writing, since only a writer can clean up the log
/// that a killed referee has left.
[[nodiscard]] inline int to_read_ledger() { return SQLite::OPEN_READWRITE | SQLite::OPEN_URI; }

/// Whether the database has no tables: a referee was killed while it made the ledger.
[[nodiscard]] bool is_empty_ledger(SQLite::Database& database);
/// Throws UserError unless the database is a ledger, of this format or an earlier one, that can be
/// read to its end. Returns the format.
int check_ledger(SQLite::Database& database, const std::filesystem::path& path);

/// The ledger's data on an experiment besides its matches, as JSON: name, numbers of games,
/// stopping rule.
[[nodiscard]] std::string ledger_plan(const Experiment& experiment);
/// Throws UserError if ledger and experiment have different stopping rules: a rule chosen when
/// results are known proves nothing.
void check_stopping_rule(SQLite::Database& database, const std::filesystem::path& folder,
                         const Experiment& experiment);

/// The open database and the statements that are used again and again.
struct Ledger::File {
  std::filesystem::path path;
  SQLite::Database database;
  int format = ledger_format;
  std::optional<SQLite::Statement> claim, token, finish, game, note;

  File(std::filesystem::path p, int flags)
      : path(std::move(p)), database(ledger_name(path), flags, 20'000) {}

  /// Prepares the statements; the database must have the tables.
  void prepare();
};

}  // namespace pitboss::clients
