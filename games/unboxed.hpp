#pragma once

#include <type_traits>

#include "games/all_games.hpp"
#include "games/boxed_game.hpp"

namespace pitboss::games {

/// Calls `visit` with the game as a value of its own type.
template <class Visit>
void unboxed(const AnyGame& game, Visit visit) {
  with_game(game.name(), [&]<class G>(std::type_identity<G>) {
    visit(dynamic_cast<const BoxedGame<G>&>(game).game());
  });
}

}  // namespace pitboss::games
