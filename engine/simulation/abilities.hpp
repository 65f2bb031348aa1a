#pragma once

#include <string_view>

#include "engine/options/options.hpp"
#include "games/game.hpp"
#include "games/random.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// What a game offers to a search beside its rules.
struct Abilities {
  std::string_view game;
  bool has_static_value;
  bool has_quality;        ///< of a finished game
  bool has_target;         ///< a target square of every move
  bool has_informed_move;  ///< a playout policy of its own
  bool has_features;
};

template <games::Game G>
[[nodiscard]] constexpr Abilities abilities_of() {
  return {G::name,
          games::HasStaticValue<G>,
          games::HasQuality<G>,
          games::HasTarget<G>,
          games::HasInformedMove<G, games::Random>,
          games::HasFeatures<G>};
}

/// Throws BadOption with a sentence if the options do not fit together or the game lacks what they
/// need.
void check_options(const Abilities& abilities, const Options& options);

}  // namespace pitboss::engine
