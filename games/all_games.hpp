#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "games/amazons.hpp"
#include "games/atarigo.hpp"
#include "games/bad_game.hpp"
#include "games/breakthrough.hpp"
#include "games/cannon.hpp"
#include "games/chinesecheckers.hpp"
#include "games/connect4.hpp"
#include "games/fanorona.hpp"
#include "games/gomoku.hpp"
#include "games/hex.hpp"
#include "games/knightthrough.hpp"
#include "games/othello.hpp"
#include "games/pentalath.hpp"
#include "games/rolit.hpp"
#include "games/suggestion.hpp"
#include "games/teeko.hpp"
#include "games/yavalath.hpp"

namespace pitboss::games {

template <Game... Games>
struct GameList {
  /// Calls `visit(std::type_identity<G>)` for every game, in order.
  template <class Visit>
  static void for_each(Visit&& visit) {
    (visit(std::type_identity<Games>{}), ...);
  }

  static constexpr int count = sizeof...(Games);
  /// The game at that place in the list, from 0.
  template <int Place>
  using At = std::tuple_element_t<Place, std::tuple<Games...>>;
};

/// The list of games. All code that handles every game derives from this list, and so do the
/// sources of the searches, one a game, which CMake counts here (engine/CMakeLists.txt).
using AllGames =
    GameList<Connect4, Othello, Breakthrough, Knightthrough, AtariGo, Gomoku, Amazons, Cannon,
             ChineseCheckers, Pentalath, Fanorona, Hex, Teeko, Yavalath, Rolit>;

/// Calls `visit(std::type_identity<G>)` for the game of that name. Throws BadGame if there is none.
template <class Visit>
void with_game(std::string_view name, Visit&& visit) {
  bool found = false;
  AllGames::for_each([&]<class G>(std::type_identity<G> game) {
    if (G::name == name) {
      found = true;
      visit(game);
    }
  });
  if (found) return;
  std::vector<std::string_view> known;
  AllGames::for_each([&]<class G>(std::type_identity<G>) { known.push_back(G::name); });
  throw BadGame("unknown game '" + std::string(name) + "'" + suggestion(name, known));
}

}  // namespace pitboss::games
