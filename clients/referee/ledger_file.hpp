#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>

#include "clients/experiment/experiment.hpp"
#include "clients/user_error.hpp"

/// A ledger's file: how it is opened, checked, and what it says of its experiment as a whole. For
/// ledger.cpp.
namespace pitboss::clients {

[[nodiscard]] UserError ledger_failure(const std::string& what, const std::filesystem::path& path,
                                       const std::string& why);

/// Does something that reads or writes the ledger in `path`: the library's failures become
/// UserErrors.
template <class Work>
auto with_ledger(const char* what, const std::filesystem::path& path, Work work) {
  try {
    return work();
  } catch (const SQLite::Exception& e) {
    throw ledger_failure(what, path, e.what());
  }
}

/// What to open: the path; of a file that may only be read, and has nothing in its log, a name that
/// says so.
[[nodiscard]] std::string ledger_name(const std::filesystem::path& path);
/// The flags to open it with. Whoever was killed has left a log, which only a writer may tidy up.
[[nodiscard]] inline int to_read_ledger() { return SQLite::OPEN_READWRITE | SQLite::OPEN_URI; }

/// Whoever was killed while it made the ledger has left a database without tables.
[[nodiscard]] bool is_empty_ledger(SQLite::Database& database);
/// Throws UserError unless the database is a ledger that can be read to its end.
void check_ledger(SQLite::Database& database, const std::filesystem::path& path);

/// What is written down of an experiment beside its matches: the games planned, the stopping rule.
[[nodiscard]] std::string ledger_plan(const Experiment& experiment);
/// A rule that is chosen when results are known proves nothing: throws UserError if the ledger has
/// another one.
void check_stopping_rule(SQLite::Database& database, const std::filesystem::path& folder,
                         const Experiment& experiment);

}  // namespace pitboss::clients
