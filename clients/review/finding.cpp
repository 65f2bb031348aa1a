#include "clients/review/finding.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace pitboss::clients {

namespace {

using Told = nlohmann::json;

std::optional<double> value_in(const Told& json) {
  return json.is_null() ? std::nullopt : std::optional(rounded(json.get<double>()));
}

FoundLine line_in(const Told& move) {
  return {move.at("visits").get<std::int64_t>(),
          value_in(move.at("value")).value_or(0.5),
          {move.at("move").get<std::string>()}};
}

}  // namespace

double rounded(double value) { return std::round(1e4 * std::clamp(value, 0.0, 1.0)) / 1e4; }

Finding finding_in(const Told& told, std::size_t lines, const std::vector<std::string>& colours) {
  Finding found;
  const Told& values = told.at("values");
  for (const std::string& colour : colours) {
    found.values.push_back(values.is_null() ? std::nullopt : value_in(values.at(colour)));
  }
  found.visits = told.at("visits").get<std::int64_t>();
  const auto chosen = told.at("move").get<std::string>();
  for (const Told& move : told.at("moves")) {
    FoundLine line = line_in(move);
    if (line.moves.front() == chosen) {
      line.moves = told.at("pv").get<std::vector<std::string>>();
      if (line.moves.empty()) line.moves = {chosen};
      line.value = value_in(told.at("value")).value_or(line.value);
      found.lines.insert(found.lines.begin(), std::move(line));
    } else if (line.visits > 0) {
      found.lines.push_back(std::move(line));
    }
  }
  if (found.lines.empty()) {
    found.lines.insert(found.lines.begin(), FoundLine{.moves = {chosen}});
  }
  found.lines.resize(std::min(found.lines.size(), std::max<std::size_t>(lines, 1)));
  if (told.contains("exact")) found.exact = told.at("exact").get<std::string>();
  if (told.contains("points")) found.points = told.at("points").get<int>();
  if (told.contains("network")) found.network = told.at("network").at("sha256").get<std::string>();
  return found;
}

nlohmann::ordered_json json_of(const Finding& finding) {
  nlohmann::ordered_json values = nlohmann::ordered_json::array();
  for (const auto& value : finding.values) {
    values.push_back(value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json());
  }
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (const FoundLine& line : finding.lines) {
    lines.push_back({{"visits", line.visits}, {"value", line.value}, {"moves", line.moves}});
  }
  nlohmann::ordered_json json{
      {"values", std::move(values)}, {"visits", finding.visits}, {"lines", std::move(lines)}};
  if (!finding.exact.empty()) json["exact"] = finding.exact;
  if (finding.points) json["points"] = *finding.points;
  if (!finding.network.empty()) json["network"] = finding.network;
  return json;
}

Finding finding_of(const Told& json) {
  Finding found;
  for (const Told& value : json.at("values")) found.values.push_back(value_in(value));
  found.visits = json.at("visits").get<std::int64_t>();
  for (const Told& line : json.at("lines")) {
    found.lines.push_back({line.at("visits").get<std::int64_t>(), line.at("value").get<double>(),
                           line.at("moves").get<std::vector<std::string>>()});
    static_cast<void>(line.at("moves").at(0));
  }
  static_cast<void>(json.at("lines").at(0));
  found.exact = json.value("exact", "");
  if (json.contains("points")) found.points = json.at("points").get<int>();
  found.network = json.value("network", "");
  return found;
}

}  // namespace pitboss::clients
