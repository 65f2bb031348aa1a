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

/// A policy without a game of its own, which draws moves of any.
template <class Policy>
concept PlaysAnyGame = std::same_as<Policy, UniformPolicy> || std::same_as<Policy, InformedPolicy>;

/// A policy that learns: it is told the path from the root to where its playout begins, and the
/// playout's result, bonuses not included.
template <class Policy, class G>
concept Learning = requires(Policy policy, std::span<const Step> path,
                            const games::Values<G>& results) {
  policy.begin(path);
  policy.end(results);
};

}  // namespace pitboss::engine
