#include "clients/referee/ledger/open_store.hpp"

#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/postgresql_store.hpp"
#include "clients/referee/ledger/sqlite_store.hpp"

namespace pitboss::clients {

std::unique_ptr<Store> store_at(const LedgerPlace& place, Outage outage, bool is_tuning) {
  if (const auto* folder = std::get_if<std::filesystem::path>(&place)) {
    const auto path = ledger_path(*folder);
    const auto other = tuning_path(*folder);
    const bool takes_other =
        !std::filesystem::exists(path) && (is_tuning || std::filesystem::exists(other));
    return std::make_unique<SqliteStore>(takes_other ? other : path);
  }
  const auto& database = std::get<DatabasePlace>(place);
  require(database.is_named(), database.url() + " names no experiment: add #NAME");
  auto store = std::make_unique<PostgresqlStore>(database);
  if (outage == Outage::is_failure) store->stop_waiting(PostgresqlStore::longest_silence);
  return store;
}

void open_ledger(Store& store) {
  store.open(ledger_tables);
  const std::string format = value_of(store, "ledger", "format");
  require(!format.empty(), "cannot use " + store.name() + ": it is not a ledger");
  require(format == std::to_string(ledger_format),
          "cannot use " + store.name() + ": its format is " + format +
              ", and this version of pitboss knows format " + std::to_string(ledger_format));
  store.check(ledger_tables);
}

std::unique_ptr<Store> existing_ledger(const LedgerPlace& place, Outage outage) {
  auto store = store_at(place, outage);
  require(store->exists(), text_of(place) + " holds no ledger");
  open_ledger(*store);
  return store;
}

bool create_ledger(Store& store, const Store::Work& fill) {
  return store.create(ledger_schema, ledger_tables, [&] {
    set_value(store, "ledger", "format", std::to_string(ledger_format));
    fill();
  });
}

bool has_ledger(const LedgerPlace& place) { return store_at(place)->exists(); }

std::vector<std::string> ledgers_in(const DatabasePlace& database) {
  PostgresqlStore store(DatabasePlace(database.url()));
  store.stop_waiting(PostgresqlStore::longest_silence);
  return store.ledgers();
}

LedgerPlace existing_place(const std::string& text) {
  LedgerPlace place = parse_place(text);
  const auto* database = std::get_if<DatabasePlace>(&place);
  if (database == nullptr || database->is_named()) return place;
  const std::vector<std::string> names = ledgers_in(*database);
  require(!names.empty(), text + " holds no ledger");
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  require(names.size() == 1, text + " holds several experiments; add # and one of: " + list);
  return DatabasePlace(database->url(), names.front());
}

}  // namespace pitboss::clients
