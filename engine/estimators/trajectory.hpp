#pragma once

#include <cstdint>
#include <vector>

#include "engine/estimators/trail.hpp"
#include "games/game.hpp"

namespace pitboss::engine {

/// The moves of one simulation from the root of the search on, as the estimators record them.
struct Trajectory {
  struct Played {
    games::Colour mover;
    std::uint64_t action;
    std::uint64_t history;  ///< Trail::all before it
    bool in_tree;
  };
  std::vector<Played> played;
  std::vector<std::uint64_t> keys;  ///< for each move, one for each table
  Trail trail;
};

}  // namespace pitboss::engine
