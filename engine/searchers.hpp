#pragma once

#include <memory>

#include "engine/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// To compile the searches of all games takes long, so that it is done in parts, side by side:
/// part i has every game whose place in AllGames is i modulo the number of parts.
inline constexpr int searcher_parts = PITBOSS_SEARCHER_PARTS;

/// A search for `game` if its part is this one; else null.
template <int Part>
[[nodiscard]] std::unique_ptr<Search> make_searcher(const games::AnyGame& game);

}  // namespace pitboss::engine
