#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <vector>

#include "clients/referee/declarations.hpp"

/// A ledger's table of what engines say of themselves (`Ledger::declarations`, `note`, `replace`).
/// For ledger.cpp.
namespace pitboss::clients {

/// Of the matches with these ids that have games. Throws UserError if they say what nobody can have
/// declared.
[[nodiscard]] Declarations read_engines(SQLite::Database& database,
                                        const std::vector<std::string>& match_ids,
                                        const std::filesystem::path& path);
/// Writes those of matches that have no games.
void note_engines(SQLite::Database& database, const std::vector<std::string>& match_ids,
                  const Declarations& declared);
/// Writes these and forgets all others.
void replace_engines(SQLite::Database& database, const std::vector<std::string>& match_ids,
                     const Declarations& declared);

}  // namespace pitboss::clients
