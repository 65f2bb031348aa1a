#pragma once

#include "engine/drivers/trunk.hpp"
#include "engine/simulation/simulator.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// The walk of a simulator whose estimators choose.
template <games::Game G>
class EstimatorsWalk final : public GuidedWalk {
 public:
  EstimatorsWalk(Simulator<G>& simulator, const G& root) : simulator_(simulator), position_(root) {}
  void begin(std::int64_t t) override { simulator_.begin_at_root(t); }
  [[nodiscard]] Index next_node(MoveBlock& block) override {
    return simulator_.next_node(position_, block);
  }
  void follow(MoveBlock& block) override {
    simulator_.follow(position_, block);
    position_.play(block.move()[block.next]);
  }

 private:
  Simulator<G>& simulator_;
  G position_;
};

}  // namespace pitboss::engine
