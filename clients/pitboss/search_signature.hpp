#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// Sixteen hexadecimal digits that stand for what the search does: a hash of the visits of the root
/// moves over a fixed set of searches of these games. Takes about a second a game. Throws BadGame
/// for an unknown one.
[[nodiscard]] std::string search_signature(const std::vector<std::string>& names);

}  // namespace pitboss::clients
