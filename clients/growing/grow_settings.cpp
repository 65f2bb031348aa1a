#include "clients/growing/grow_settings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pitboss::clients {

Strategy strategy_of(const GrowSettings& settings) {
  const std::string_view before = strategies.substr(0, strategies.find(settings.strategy));
  // No name is within an earlier one.
  return static_cast<Strategy>(std::ranges::count(before, ','));
}

std::string json_of(const GrowSettings& s) {
  nlohmann::ordered_json json{{"game", s.game}, {"by_colour", s.by_colour}};
  add_json(grow_rows, s, json);
  return json.dump(2) + "\n";
}

}  // namespace pitboss::clients
