#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>

#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// Makes a ledger of the newest format one of the first, as an older version has left it. Nobody
/// may have it open.
inline void make_first_format(const std::filesystem::path& folder) {
  SQLite::Database database(ledger_path(folder).string(), SQLite::OPEN_READWRITE);
  database.exec(
      "ALTER TABLE rounds DROP COLUMN begun; ALTER TABLE rounds DROP COLUMN ended;"
      "ALTER TABLE games DROP COLUMN move_values; ALTER TABLE games DROP COLUMN remote1;"
      "ALTER TABLE games DROP COLUMN local1; ALTER TABLE games DROP COLUMN remote2;"
      "ALTER TABLE games DROP COLUMN local2; ALTER TABLE games DROP COLUMN effort1;"
      "ALTER TABLE games DROP COLUMN effort2; ALTER TABLE games DROP COLUMN clocks;"
      "ALTER TABLE games DROP COLUMN latency1; ALTER TABLE games DROP COLUMN latency2;"
      "DROP TABLE engines; DROP TABLE referees; ALTER TABLE rounds DROP COLUMN referee;"
      "ALTER TABLE ledger DROP COLUMN checksum;"
      "ALTER TABLE matches DROP COLUMN checksum; ALTER TABLE rounds DROP COLUMN checksum;"
      "ALTER TABLE games DROP COLUMN checksum; ALTER TABLE incidents DROP COLUMN checksum;"
      "UPDATE ledger SET value = '1' WHERE key = 'format'");
}

}  // namespace pitboss::clients
