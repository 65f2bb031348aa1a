#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "engine/policy/features/walk.hpp"
#include "games/any_game.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// What features need to know of a game with its parameters.
struct FeatureGame {
  std::string name;
  games::BoardGraph graph;
  int players;           ///< seats
  std::string letters;   ///< the kinds of pieces (games::piece_letters)
  int men;               ///< how many of these are the colours' men: the first ones
  bool moves_men;        ///< whether some moves have an origin
  bool targets_enemies;  ///< whether the target of a move may hold an enemy's man

  /// The number of rotations: the largest number of neighbours of any point.
  [[nodiscard]] int rotations() const { return graph.arities().back(); }
};

template <games::Game G>
[[nodiscard]] FeatureGame feature_game(const G& game) {
  return {std::string(G::name),
          games::board_graph(game),
          games::seats_of(game),
          std::string(games::piece_letters<G>()),
          G::players,
          games::HasOrigin<G>,
          games::TargetsEnemies<G>};
}
[[nodiscard]] FeatureGame feature_game(const games::AnyGame& game);

}  // namespace pitboss::engine
