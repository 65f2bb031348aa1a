#include "clients/referee/ledger/row_checksums.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <exception>
#include <span>

#include "engine/sha256.hpp"

namespace pitboss::clients {

using SQLite::Database;
using SQLite::Statement;

namespace {

/// Type and value as text that no other value has, whatever comes behind it.
std::string text_of(sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  std::string text = std::to_string(type) + ':';
  if (type == SQLITE_INTEGER) {
    text += std::to_string(sqlite3_value_int64(value)) + ':';
  } else if (type == SQLITE_FLOAT) {
    text += std::to_string(std::bit_cast<std::uint64_t>(sqlite3_value_double(value))) + ':';
  } else if (type != SQLITE_NULL) {
    const auto* const bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    text += std::to_string(size) + ':';
    if (size > 0) text.append(bytes, size);
  }
  return text;
}

void row_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  try {
    std::string text;
    for (sqlite3_value* value : std::span(values, static_cast<std::size_t>(count))) {
      text += text_of(value);
    }
    constexpr std::size_t digits = 16;  // 64 bits
    const std::string first = engine::sha256(text).substr(0, digits);
    sqlite3_result_int64(context, static_cast<std::int64_t>(std::stoull(first, nullptr, 16)));
  } catch (const std::exception& e) {
    sqlite3_result_error(context, e.what(), -1);
  }
}

/// The names of the columns that the checksum of a table covers, separated by commas.
std::string covered_columns(Database& database, std::string_view table) {
  std::string out;
  for (const std::string& column : columns_of(database, table)) {
    if (column != "checksum") out += (out.empty() ? "\"" : ", \"") + column + '"';
  }
  return out;
}

}  // namespace

std::vector<std::string> columns_of(Database& database, std::string_view table) {
  std::vector<std::string> out;
  Statement column(database, "SELECT name FROM pragma_table_info(?, 'main') ORDER BY cid");
  column.bind(1, std::string(table));
  while (column.executeStep()) out.push_back(column.getColumn(0).getString());
  return out;
}

void define_row_checksum(Database& database) {
  database.createFunction("row_checksum", -1, true, nullptr, row_checksum);
}

void keep_checksums(Database& database, Tables tables) {
  for (const std::string table : tables) {
    const std::string columns = covered_columns(database, table);
    const std::string set = " ON main." + table + " BEGIN UPDATE " + table +
                            " SET checksum = row_checksum(" + columns +
                            ") WHERE rowid = NEW.rowid; END;";
    database.exec("CREATE TEMP TRIGGER IF NOT EXISTS " + table + "_inserted AFTER INSERT" + set);
    database.exec("CREATE TEMP TRIGGER IF NOT EXISTS " + table + "_updated AFTER UPDATE OF " +
                  columns + set);
  }
}

std::string checksum_fault(Database& database, Tables tables) {
  for (const std::string table : tables) {
    if (std::ranges::count(columns_of(database, table), "checksum") == 0) {
      return "its table " + table + " has no checksums";
    }
    Statement row(database, "SELECT rowid FROM " + table + " WHERE checksum IS NOT row_checksum(" +
                                covered_columns(database, table) + ")");
    if (!row.executeStep()) continue;
    return "row " + row.getColumn(0).getString() + " of its table " + table +
           " does not fit its checksum";
  }
  return {};
}

}  // namespace pitboss::clients
