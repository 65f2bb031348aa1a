#pragma once

#include <cstdint>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/move_feature.hpp"
#include "games/game.hpp"

/// Features matched as they are defined, element by element: for what needs single instances, and
/// to test the fast passes against.
namespace pitboss::engine {

/// A position as features see it.
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

/// The points of a move: -1 where it has none (games/target.hpp).
struct MovePoints {
  std::int16_t to = -1;
  std::int16_t from = -1;
};

/// Whether the feature, placed in this way, matches the move. The anchor is the target or, if the
/// feature has none, the origin; features are canonical.
[[nodiscard]] bool matches(const FeatureGame& game, const Contents& contents, MovePoints move,
                           const MoveFeature& feature, const Placement& placement);
/// Whether it matches in any placement.
[[nodiscard]] bool is_active(const FeatureGame& game, const Contents& contents, MovePoints move,
                             const MoveFeature& feature);

}  // namespace pitboss::engine
