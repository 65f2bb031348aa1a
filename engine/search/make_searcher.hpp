#pragma once

#include <memory>

#include "engine/search.hpp"
#include "games/any_game.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

/// A search for `game` if its type is the one at `Place` in AllGames; else null. Each game is
/// compiled by itself, in parallel, and because GCC inlines less in large units: with three games
/// in one, playouts take up to 1.19 times as long.
template <int Place>
[[nodiscard]] std::unique_ptr<Search> make_searcher(const games::AnyGame& game,
                                                    const Models& models,
                                                    const std::shared_ptr<MemoryBudget>& budget);

/// A search for `game` by half moves; instantiated for every game that has them.
template <games::HasHalves G>
[[nodiscard]] std::unique_ptr<Search> make_half_searcher(
    const G& game, const Models& models, const std::shared_ptr<MemoryBudget>& budget);

}  // namespace pitboss::engine
