#pragma once

#include "engine/estimators/abstractor.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// 3x3: the contents of the nine points around the move's target. A move without a target has the
/// context 0.
template <games::HasTarget G>
class BlockAbstractor final : public Abstractor<G> {
 public:
  void contexts(const G& position, const Trail&, std::span<const games::Move> moves,
                std::uint64_t* context) const override {
    const games::Neighbourhoods<G> blocks(position);
    for (const games::Move move : moves) {
      const int target = position.target(move);
      *context++ = target < 0 ? 0 : blocks(target);
    }
  }
};

}  // namespace pitboss::engine
