#include "clients/referee/ledger/copy_ledger.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/open_store.hpp"

namespace pitboss::clients {

namespace {

/// Copies the rows of a table; the checksums are made anew.
void copy_table(Store& from, Store& to, const std::string& table) {
  std::vector<std::string> columns = from.columns(table);
  std::erase(columns, "checksum");
  std::string names;
  std::string places;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names += (i == 0 ? "" : ", ") + columns[i];
    places += (i == 0 ? "$" : ", $") + std::to_string(i + 1);
  }
  const std::string insert = "INSERT INTO " + table + " (" + names + ") VALUES (" + places + ")";
  from.read("SELECT " + names + " FROM " + table, {}, [&](const StoredRow& row) {
    StoredValues values;
    for (int column = 0; column < static_cast<int>(columns.size()); ++column) {
      values.push_back(row.value(column));
    }
    to.run(insert, values);
  });
}

}  // namespace

void copy_ledger(const LedgerPlace& from, const LedgerPlace& to) {
  const auto source = existing_ledger(from);
  const auto target = store_at(to);
  const auto expect_none = [&] {
    require(!target->exists(), text_of(to) + " holds a ledger; choose another place for the copy");
  };
  expect_none();
  target->lock();
  expect_none();
  bool is_mine = true;
  source->freeze([&] {
    is_mine = create_ledger(*target, [&] {
      set_value(*target, "ledger", "plan", value_of(*source, "ledger", "plan"));
      for (const std::string table : ledger_tables) {
        if (table != ledger_tables.front()) copy_table(*source, *target, table);
      }
    });
  });
  if (!is_mine) expect_none();
}

}  // namespace pitboss::clients
