#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <vector>

#include "clients/referee/declarations.hpp"

/// A ledger's table of what engines say of themselves (`Ledger::declarations`, `note`, `replace`).
/// Private to this folder, since it shows SQLite.
namespace pitboss::clients {

/// Reads the declarations of the matches with these ids that have games. Throws UserError for one
/// that `Declaration` cannot have made.
[[nodiscard]] Declarations read_engines(SQLite::Database& database,
                                        const std::vector<std::string>& match_ids,
                                        const std::filesystem::path& path);
/// Writes the declarations of matches that have no games.
void note_engines(SQLite::Database& database, const std::vector<std::string>& match_ids,
                  const Declarations& declared);
/// Writes these and deletes all others.
void replace_engines(SQLite::Database& database, const std::vector<std::string>& match_ids,
                     const Declarations& declared);

}  // namespace pitboss::clients
