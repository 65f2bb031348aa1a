#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <string_view>
#include <vector>

#include "clients/referee/ledger/store.hpp"

/// The checksums of a ledger's rows in SQLite. SQLite finds a damaged page, not a digit that has
/// become another one. Each table's last column, `checksum`, is `row_checksum` of the others in
/// their order: the first 64 bits of the SHA-256 of their types and values. Private to this folder,
/// since it shows SQLite.
namespace pitboss::clients {

/// The columns of a table in their order; none if there is no such table. Unlike
/// `Database::tableExists`, this asks what SQLite has understood, not what the file calls it.
[[nodiscard]] std::vector<std::string> columns_of(SQLite::Database& database,
                                                  std::string_view table);

/// Gives a connection the SQL function `row_checksum`. All below need it.
void define_row_checksum(SQLite::Database& database);
/// Has this connection, from now on, set the checksum of every row that it inserts or updates: the
/// statements need not mention it. The ledger must have its tables.
void keep_checksums(SQLite::Database& database, Tables tables);
/// What is wrong with the first row, named by its rowid, that is not as it was written, or with a
/// table that has no checksums. Empty if all is sound.
[[nodiscard]] std::string checksum_fault(SQLite::Database& database, Tables tables);

}  // namespace pitboss::clients
