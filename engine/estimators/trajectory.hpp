#pragma once

#include <cstdint>
#include <vector>

#include "engine/estimators/trail.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// The moves of one simulation, as the estimators have seen them from the root of the search on.
struct Trajectory {
  struct Played {
    games::Colour mover;
    std::uint64_t action;
    std::uint64_t history;  ///< Trail::all before it
    bool in_tree;
  };
  std::vector<Played> played;
  std::vector<std::uint64_t> keys;  ///< of each move as many as there are tables
  Trail trail;
};

}  // namespace pitboss::engine
