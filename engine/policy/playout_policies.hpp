#pragma once

#include <concepts>
#include <span>

#include "engine/tree/selector.hpp"
#include "games/game.hpp"
#include "games/random.hpp"

/// Playout policies: how the moves of playouts are drawn.
namespace pitboss::engine {

/// Any legal move, all equally likely.
struct UniformPolicy {
  template <games::Game G>
  [[nodiscard]] games::Move move(const G& game, games::Random& random) const {
    return games::random_move(game, random);
  }
};
/// The game's own policy.
struct InformedPolicy {
  template <games::Game G>
  [[nodiscard]] games::Move move(const G& game, games::Random& random) const {
    return game.informed_move(random);
  }
};

/// A policy that is not bound to a game and draws moves of any.
template <class Policy>
concept PlaysAnyGame = std::same_as<Policy, UniformPolicy> || std::same_as<Policy, InformedPolicy>;

/// A policy that learns: it gets the path from the root to the beginning of a playout, and the
/// playout's result without bonuses.
template <class Policy, class G>
concept Learning = requires(Policy policy, std::span<const Edge> path,
                            const games::Values<G>& results) {
  policy.begin(path);
  policy.end(results);
};

}  // namespace pitboss::engine
