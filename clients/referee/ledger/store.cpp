#include "clients/referee/ledger/store.hpp"

namespace pitboss::clients {

std::int64_t StoredRow::number(int column) const {
  const StoredValue found = value(column);
  if (const auto* number = std::get_if<std::int64_t>(&found)) return *number;
  const auto* real = std::get_if<double>(&found);
  return real != nullptr ? static_cast<std::int64_t>(*real) : 0;
}

double StoredRow::real(int column) const {
  const StoredValue found = value(column);
  if (const auto* real = std::get_if<double>(&found)) return *real;
  const auto* number = std::get_if<std::int64_t>(&found);
  return number != nullptr ? static_cast<double>(*number) : 0;
}

std::string StoredRow::text(int column) const {
  StoredValue found = value(column);
  if (auto* text = std::get_if<std::string>(&found)) return std::move(*text);
  const auto* number = std::get_if<std::int64_t>(&found);
  return number != nullptr ? std::to_string(*number) : std::to_string(std::get<double>(found));
}

std::string value_of(Store& store, const std::string& table, const std::string& key) {
  std::string out;
  store.read("SELECT value FROM " + table + " WHERE key = $1", {key},
             [&](const StoredRow& row) { out = row.text(0); });
  return out;
}

void set_value(Store& store, const std::string& table, const std::string& key,
               const std::string& value) {
  store.run("INSERT INTO " + table +
                " (key, value) VALUES ($1, $2) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            {key, value});
}

}  // namespace pitboss::clients
