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

/// A ledger's SQLite file: opening and checking it, and what it says of the experiment as a whole.
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

/// The name to open a ledger by: its path, or, for a file that may only be read and has no log, a
/// URI that says so.
[[nodiscard]] std::string ledger_name(const std::filesystem::path& path);
/// The flags to open it with: for writing too, since a referee that was killed has left a log that
/// only a writer may tidy up.
[[nodiscard]] inline int to_read_ledger() { return SQLite::OPEN_READWRITE | SQLite::OPEN_URI; }

/// Whether the database has no tables: a referee was killed while it made the ledger.
[[nodiscard]] bool is_empty_ledger(SQLite::Database& database);
/// Throws UserError unless the database is a ledger, of this format or an earlier one, that can be
/// read to its end. Returns the format.
int check_ledger(SQLite::Database& database, const std::filesystem::path& path);

/// What the ledger holds of an experiment beside its matches, as JSON: name, numbers of games,
/// stopping rule.
[[nodiscard]] std::string ledger_plan(const Experiment& experiment);
/// Throws UserError if the ledger has another stopping rule than the experiment: one that is chosen
/// when results are known proves nothing.
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

  /// Prepares the statements, of a database that has the tables.
  void prepare();
};

}  // namespace pitboss::clients
