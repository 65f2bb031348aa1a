#pragma once

#include <memory>

#include "engine/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// A search for `game` if it is the one of that place in AllGames; else null. Each is compiled by
/// itself: side by side, and because GCC inlines less in large units, so that playouts of othello
/// took 1.19 times as long when three games shared one, of knightthrough 1.16 times.
template <int Place>
[[nodiscard]] std::unique_ptr<Search> make_searcher(const games::AnyGame& game);

}  // namespace pitboss::engine
