#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "engine/policy/features/walk.hpp"
#include "games/any_game.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// A game with its parameters as features see it.
struct FeatureGame {
  std::string name;
  games::BoardGraph graph;
  int players;           ///< seats
  std::string letters;   ///< of the kinds of pieces (games::piece_letters),
  int men;               ///< the first of which are the colours' men
  bool moves_men;        ///< some moves have an origin
  bool targets_enemies;  ///< the target of a move may hold an enemy's man

  /// The largest number of neighbours of any point: so many ways to turn a feature.
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
