#pragma once

#include <string>
#include <string_view>

#include "games/any_game.hpp"
#include "games/parameters.hpp"

namespace pitboss::games {

/// The name of a game with its parameters: "othello size=8".
[[nodiscard]] inline std::string rules_text(std::string_view game, const Parameters& parameters) {
  const std::string line = parameters.line();
  return std::string(game) + (line.empty() ? "" : " ") + line;
}
[[nodiscard]] inline std::string rules_text(const AnyGame& game) {
  return rules_text(game.name(), game.parameters());
}

}  // namespace pitboss::games
