#pragma once

#include <cstdint>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"
#include "games/game.hpp"

/// Matches features by their definition, element by element: for code that needs single instances,
/// and for tests of the fast passes.
namespace pitboss::engine {

/// A position as far as features test it.
struct Contents {
  static constexpr std::int8_t empty = -1;
  games::Colour mover{};
  std::vector<std::int8_t> kinds;  ///< by point: the kind of piece, or `empty`
};

template <games::Game G>
[[nodiscard]] Contents contents_of(const G& game) {
  Contents contents{game.to_move(), std::vector<std::int8_t>(G::Board::bits, Contents::empty)};
  for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
    game.pieces(kind).for_each([&](int p) { contents.kinds[p] = static_cast<std::int8_t>(kind); });
  }
  return contents;
}

/// The points of a move: -1 for a missing one (games/target.hpp).
struct MovePoints {
  std::int16_t to = -1;
  std::int16_t from = -1;
};

/// Whether the feature, in this placement, matches the move. The anchor is the target or, if the
/// feature has none, the origin; features must be canonical.
[[nodiscard]] bool matches(const FeatureGame& game, const Contents& contents, MovePoints move,
                           const MoveFeature& feature, const Placement& placement);
/// Whether the feature matches in any placement.
[[nodiscard]] bool is_active(const FeatureGame& game, const Contents& contents, MovePoints move,
                             const MoveFeature& feature);

}  // namespace pitboss::engine
