#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/row_checksums.hpp"

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

/// The value of a key in a table of keys and values; empty if there is none.
[[nodiscard]] std::string value_of(SQLite::Database& database, const std::string& table,
                                   const std::string& key);

/// Opens a ledger, for reading or writing, and defines `row_checksum`. Throws UserError for a file
/// of 0 bytes, which SQLite would take for a new database.
[[nodiscard]] SQLite::Database open_ledger(const std::filesystem::path& path);
/// Makes a ledger in `path` of what `fill` writes into an empty database that has `row_checksum`.
/// It has another name until all is on the disk: whatever is killed when, `path` is a whole ledger
/// or does not exist. The caller holds the folder's lock.
void make_ledger(const std::filesystem::path& path,
                 const std::function<void(SQLite::Database&)>& fill);
/// Makes the folder if necessary and keeps other writers of its ledger out. Throws UserError if
/// there is one.
[[nodiscard]] FileLock lock_folder(const std::filesystem::path& folder);

/// Throws UserError unless the database has the first of the tables, can be read to its end, and
/// its rows fit their checksums.
void check_rows(SQLite::Database& database, const std::filesystem::path& path, Tables tables);
/// Throws UserError unless the database is a ledger, of this format or an earlier one, that can be
/// read to its end and whose rows fit their checksums. Returns the format.
int check_ledger(SQLite::Database& database, const std::filesystem::path& path);

/// Writes what is to be played: the matches, and name, numbers of games and stopping rule.
void write_plan(SQLite::Database& database, const std::vector<std::string>& match_ids,
                const Experiment& experiment);
/// Throws UserError if ledger and experiment have different stopping rules: a rule chosen when
/// results are known proves nothing.
void check_stopping_rule(SQLite::Database& database, const std::filesystem::path& folder,
                         const Experiment& experiment);

/// The open database and the statements that are used again and again.
struct Ledger::File {
  std::filesystem::path path;
  SQLite::Database database;
  int format;
  std::optional<SQLite::Statement> claim, token, finish, game, note;

  /// Opens and checks it.
  explicit File(std::filesystem::path p)
      : path(std::move(p)), database(open_ledger(path)), format(check_ledger(database, path)) {}

  /// Prepares the statements; the database must have the tables.
  void prepare();
};

}  // namespace pitboss::clients
