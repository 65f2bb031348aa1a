#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// Sixteen hexadecimal digits that identify the search's behaviour: a hash of the root moves'
/// visits over a fixed set of searches of these games. Takes about a second a game. Throws BadGame
/// for an unknown game.
[[nodiscard]] std::string search_signature(const std::vector<std::string>& names);

}  // namespace pitboss::clients
