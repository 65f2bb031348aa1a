#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::clients {

/// The preset that plays the game best with these networks, as far as is known.
[[nodiscard]] inline std::string_view best_preset(const games::AnyGame& game,
                                                  const std::vector<std::string>& networks) {
  for (const std::string& network : networks) {
    if (network == game.name()) return "network";
  }
  return game.static_value() ? "reference" : "uct";
}

}  // namespace pitboss::clients
