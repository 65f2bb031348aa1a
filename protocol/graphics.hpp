#pragma once

#include <string>

#include "engine/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::protocol {

/// What a search thinks as graphics of GoGui: lines like `VAR b d4 w e5`, without an empty one and
/// without a line feed at the end. `game` is the position that is searched.
[[nodiscard]] std::string search_graphics(const games::AnyGame& game, const engine::Report& report);

}  // namespace pitboss::protocol
