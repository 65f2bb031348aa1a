#include "clients/growing/grow_settings.hpp"

#include <nlohmann/json.hpp>

namespace pitboss::clients {

std::vector<std::string_view> strategy_names() {
  return {"random", "combine-random", "combine-max", "correlation"};
}

std::string json_of(const GrowSettings& s) {
  const nlohmann::ordered_json json{
      {"game", s.game},
      {"strategy", strategy_names()[static_cast<std::size_t>(s.strategy)]},
      {"games", s.games},
      {"keep", s.keep},
      {"games_after", s.games_after},
      {"simulations", s.simulations},
      {"at_once", s.at_once},
      {"longest_game", s.longest_game},
      {"step", s.step},
      {"lambda", s.lambda},
      {"batch", s.batch},
      {"discovery_batch", s.discovery_batch},
      {"buffer", s.buffer},
      {"by_colour", s.by_colour},
      {"seed", s.seed},
      {"options", s.options}};
  return json.dump(2) + "\n";
}

}  // namespace pitboss::clients
