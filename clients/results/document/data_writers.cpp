#include <algorithm>
#include <cmath>
#include <utility>

#include "clients/results/document/writers.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const Value& value) {
  if (const auto* const number = std::get_if<double>(&value)) {
    return std::isfinite(*number) ? ordered_json(*number) : ordered_json();
  }
  return std::visit(
      []<class Of>(const Of& of) {
        if constexpr (std::is_same_v<Of, std::monostate> || std::is_same_v<Of, Markup>) {
          return ordered_json();
        } else {
          return ordered_json(of);
        }
      },
      value);
}

ordered_json json_of(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? ordered_json(*number) : ordered_json();
}

void add_tables(const Section& section, std::map<std::string, Rows>& out) {
  const auto add = [&](const DataTable& table) {
    if (table.name.empty()) return;
    Rows& rows = out.try_emplace(table.name, Rows::array()).first->second;
    for (auto& row : rows_of(table)) rows.push_back(std::move(row));
  };
  for (const Block& block : section.blocks) {
    if (const auto* const table = std::get_if<DataTable>(&block)) add(*table);
    if (const auto* const figure = std::get_if<Figure>(&block)) add(figure->numbers);
  }
  for (const Section& inner : section.sections) add_tables(inner, out);
}

std::string field(const ordered_json& value) {
  if (value.is_null()) return {};
  std::string text = value.is_string() ? value.get<std::string>() : text_of(value);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

Rows rows_of(const DataTable& table) {
  Rows out = Rows::array();
  for (const Cells& row : table.rows) {
    Rows json = Rows::object();
    for (std::size_t c = 0; c < row.size(); ++c) {
      const Column& column = table.columns[c];
      if (column.key.empty() || std::holds_alternative<std::monostate>(row[c].value)) continue;
      json[column.key] = json_of(row[c].value);
      if (column.bounds.first.empty()) continue;
      json[column.bounds.first] = json_of(row[c].low);
      json[column.bounds.second] = json_of(row[c].high);
    }
    out.push_back(std::move(json));
  }
  return out;
}

std::map<std::string, Rows> tables_of(const Document& document) {
  std::map<std::string, Rows> out;
  for (const Section& section : document.sections) add_tables(section, out);
  return out;
}

ordered_json json_of(const Document& document) {
  ordered_json out = document.facts.is_object() ? document.facts : ordered_json::object();
  for (auto& [name, rows] : tables_of(document)) out[name] = std::move(rows);
  return out;
}

std::string csv_of(const Rows& rows) {
  std::vector<std::string> keys;
  for (const auto& row : rows) {
    for (const auto& [key, value] : row.items()) {
      if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  std::string out;
  for (const std::string& key : keys) out += (out.empty() ? "" : ",") + field(key);
  out += "\r\n";
  for (const auto& row : rows) {
    bool is_first = true;
    for (const std::string& key : keys) {
      if (!std::exchange(is_first, false)) out += ",";
      if (row.contains(key)) out += field(row[key]);
    }
    out += "\r\n";
  }
  return out;
}

std::string text_of(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace pitboss::clients
