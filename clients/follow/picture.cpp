#include "clients/follow/picture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pitboss::clients {

namespace {

std::string field(const nlohmann::ordered_json& value) {
  if (value.is_null()) return {};
  std::string text = value.is_string() ? value.get<std::string>() : text_of(value);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

nlohmann::ordered_json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

Rows incident_rows(const std::vector<Incident>& incidents, const std::string& match_name,
                   int first) {
  Rows rows = Rows::array();
  for (const Incident& one : incidents) {
    rows.push_back({{"time", one.when},
                    {match_name, one.match + first},
                    {"game", one.game},
                    {"player", one.player},
                    {"place", one.location},
                    {"reason", one.reason},
                    {"is_loss", one.is_loss},
                    {"excerpt", one.excerpt}});
  }
  return rows;
}

std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
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

}  // namespace pitboss::clients
