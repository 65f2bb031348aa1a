#pragma once

#include <cstdint>

#include "games/game.hpp"
#include "games/random.hpp"

namespace pitboss::games {

/// A hash of what lies on the board, of marks and of the side to move. Equal positions have the
/// same; so may positions that differ in nothing else, as by earlier passes.
template <Game G>
[[nodiscard]] std::uint64_t position_hash(const G& game) {
  auto hash = static_cast<std::uint64_t>(index(game.to_move()));
  const auto add = [&](const typename G::Board& points) {
    for (int i = 0; i < points.words; ++i) hash = mix(hash ^ points.word(i));
  };
  for (int kind = 0; kind < kinds_of<G>; ++kind) add(game.pieces(kind));
  if constexpr (HasMarks<G>) {
    for (int kind = 0; kind < G::mark_kinds; ++kind) add(game.marks(kind));
  }
  return hash;
}

}  // namespace pitboss::games
